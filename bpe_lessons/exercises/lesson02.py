"""The exercises of lesson 02."""

from bpe_lessons.exercises import Exercise

EXERCISES: list[Exercise] = []
