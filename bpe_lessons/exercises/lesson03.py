"""The exercises of lesson 03."""

from bpe_lessons.exercises import Exercise

EXERCISES: list[Exercise] = []
