"""Lesson 12: right answers pass, classic mistakes are named."""

import re

import pytest

from bpe_lessons import check
from bpe_lessons.exercises.lesson12 import EXERCISES


def second_index(rows):
    pairs = {row[i : i + 2] for row in rows for i in range(len(row) - 1)}
    return {pair: {n for n, row in enumerate(rows) if pair in row} for pair in pairs}


def second_pop(heap, counts):
    entries = sorted(heap)
    while entries:
        promised, pair = entries.pop(0)
        true = -counts[pair]
        if promised == true:
            return pair, entries
        if true:
            entries = sorted([*entries, (true, pair)])
    return None, []


def second_place(text, limit):
    found = [match.end() for match in re.finditer(r"[A-Za-z](?= )", text) if match.end() <= limit]
    return found[-1] if found else 0


def second_every_other(places):
    used, run = [], 0
    for i, place in enumerate(places):
        run = run + 1 if i and places[i - 1] == place - 1 else 0
        if run % 2 == 0:
            used.append(place)
    return used


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("12-1", (4, 3, 2, 1)),
        ("12-2", second_index),
        ("12-3", second_pop),
        ("12-4", second_place),
        ("12-5", second_every_other),
    ],
)
def test_second_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


def how_many_places(rows):
    counts = {}
    for row in rows:
        for i in range(1, len(row)):
            counts[row[i - 1 : i + 1]] = counts.get(row[i - 1 : i + 1], 0) + 1
    return counts


def how_many_rows(rows):
    return {pair: len(numbers) for pair, numbers in second_index(rows).items()}


def appended(rows):
    index = {}
    for n in range(len(rows)):
        for i in range(1, len(rows[n])):
            index[rows[n][i - 1 : i + 1]] = [*index.get(rows[n][i - 1 : i + 1], []), n]
    return index


def lists_without_repeats(rows):
    return {pair: sorted(numbers) for pair, numbers in second_index(rows).items()}


def by_twos(rows):
    index = {}
    for n, row in enumerate(rows):
        for pair in map("".join, zip(row[::2], row[1::2])):
            index[pair] = index.get(pair, set()) | {n}
    return index


def assigned(rows):
    return {row[i : i + 2]: {n} for n, row in enumerate(rows) for i in range(len(row) - 1)}


def spelled(rows):
    index = {}
    for row in rows:
        for i in range(len(row) - 1):
            index.setdefault(row[i : i + 2], set()).add(row)
    return index


def trusting(heap, counts):
    if not heap:
        return None, []
    return min(heap)[1], sorted(heap)[1:]


def throws_away(heap, counts):
    good = sorted(heap)
    while good and -good[0][0] != counts[good[0][1]]:
        del good[0]
    return (good[0][1], good[1:]) if good else (None, [])


def corrects_all(heap, counts):
    true = sorted((-counts[pair], pair) for _, pair in heap if counts[pair] > 0)
    return (true[0][1], true[1:]) if true else (None, [])


def hasty(heap, counts):
    entries = sorted(heap)
    while entries and counts[entries[0][1]] == 0:
        entries.pop(0)
    return (entries[0][1], entries[1:]) if entries else (None, [])


def with_zeros(heap, counts):
    entries = sorted(heap)
    while entries:
        n, pair = entries.pop(0)
        if n == -counts[pair]:
            return (pair if n else None), entries
        entries = sorted([(-counts[pair], pair), *entries])
    return None, []


def peeks(heap, counts):
    best, left = second_pop(heap, counts)
    return best, sorted([*left, *((-n, pair) for pair, n in counts.items() if pair == best)])


def behind_newline(text, limit):
    return max((i + 1 for i in range(min(limit, len(text))) if text[i] == "\n"), default=0)


def spaces(text, limit):
    return max((i for i in range(min(limit + 1, len(text))) if text[i] == " "), default=0)


def whole(text, limit):
    return len(text[:limit])


def letters_of_all_scripts(text, limit):
    found = [match.end() for match in re.finditer(r"[^\W\d_](?= )", text) if match.end() <= limit]
    return found[-1] if found else 0


def one_too_far(text, limit):
    found = [match.end() for match in re.finditer(r"[A-Za-z] ", text) if match.end() <= limit]
    return found[-1] if found else 0


def earliest(text, limit):
    match = re.search(r"[A-Za-z](?= )", text)
    return match.end() if match and match.end() <= limit else 0


def under_the_limit(text, limit):
    found = [match.end() for match in re.finditer(r"[A-Za-z](?= )", text) if match.end() < limit]
    return found[-1] if found else 0


def by_position(places):
    return [place for i, place in enumerate(places) if i % 2 == 0]


def everything(places):
    return list(places)


def odd_or_even(places):
    return [place for place in places if (place - places[0]) % 2 == 0]


def heads(places):
    return [place for i, place in enumerate(places) if i == 0 or places[i - 1] != place - 1]


def leftwards(places):
    used = []
    for place in places[::-1]:
        if place + 1 not in used:
            used.insert(0, place)
    return used


@pytest.mark.parametrize(
    ("id", "wrong", "name"),
    [
        ("12-1", [13, 6, 4, 4], "the counts of the pairs"),
        ("12-1", [5, 3, 2, 1], "counting places"),
        ("12-1", [4, 4, 4, 4], "every row in every round"),
        ("12-2", how_many_places, "counting places"),
        ("12-2", how_many_rows, "counting rows"),
        ("12-2", appended, "rows entered twice"),
        ("12-2", lists_without_repeats, "lists"),
        ("12-2", by_twos, "skipping overlaps"),
        ("12-2", assigned, "overwritten rows"),
        ("12-2", spelled, "the rows themselves"),
        ("12-3", trusting, "no check"),
        ("12-3", throws_away, "dropping stale entries"),
        ("12-3", corrects_all, "an eager rebuild"),
        ("12-3", hasty, "taking a corrected entry at once"),
        ("12-3", with_zeros, "entries of count 0"),
        ("12-3", peeks, "the best left in the heap"),
        ("12-4", behind_newline, "cutting after a newline"),
        ("12-4", spaces, "cutting at any space"),
        ("12-4", whole, "cutting at the limit"),
        ("12-4", letters_of_all_scripts, "any letter"),
        ("12-4", one_too_far, "cutting behind the space"),
        ("12-4", earliest, "the first place"),
        ("12-4", under_the_limit, "off by one"),
        ("12-5", by_position, "every other of all"),
        ("12-5", everything, "all places"),
        ("12-5", odd_or_even, "going by odd and even"),
        ("12-5", heads, "one place a run"),
        ("12-5", leftwards, "from the right"),
    ],
)
def test_classic_mistakes_are_named(id, wrong, name):
    report = check(id, wrong)
    assert not report.passed
    assert f"This looks like {name}: " in report.text, report


def test_every_mistake_has_a_test():
    marks = test_classic_mistakes_are_named.pytestmark[0].args[1]
    assert {(id, name) for id, _, name in marks} == {
        (exercise.id, mistake.name) for exercise in EXERCISES for mistake in exercise.mistakes
    }


def unwritten(*arguments):
    raise NotImplementedError
