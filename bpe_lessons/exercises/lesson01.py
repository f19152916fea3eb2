"""The exercises of lesson 01."""

from bpe_lessons.exercises import Exercise

EXERCISES: list[Exercise] = []
