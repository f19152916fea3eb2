"""The exercises of lesson 07: right answers pass, classic mistakes are named, shortcuts fail."""

import bisect
import itertools
from collections import Counter

import pytest

from bpe_lessons import check

# Right answers, written in another way than the solutions.


def from_below(counts):
    rising = sorted(counts.values())
    return [(len(rising) - bisect.bisect_left(rising, n), n) for n in sorted(set(rising) - {0})[::-1]]


def by_powers(counts):
    label = [next(k for k in range(20) if rank < 3**k) for rank in range(1, len(counts) + 1)]
    found = []
    for _, places in itertools.groupby(range(len(counts)), key=lambda place: label[place]):
        places = list(places)
        found.append([places[0] + 1, places[-1] + 1, sum(counts[place] for place in places)])
    return found


def by_counter(counts, left, right, times):
    after = Counter(counts)
    after.subtract(Counter([left, right] * times))
    after[left + right] = times
    return dict(after)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("07-1", 1.0),
        ("07-2", from_below),
        ("07-3", by_powers),
        ("07-4", by_counter),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def sorted_and_numbered(counts):
    ordered = sorted(filter(None, counts.values()))[::-1]
    return [(place + 1, ordered[place]) for place in range(len(ordered))]


def numbered_rows(counts):
    return list(enumerate(sorted({n for n in counts.values() if n > 0})[::-1], start=1))


def firsts(counts):
    ordered = sorted(filter(None, counts.values()))[::-1]
    return [(ordered.index(n) + 1, n) for n in dict.fromkeys(ordered)]


def higher_ones(counts):
    ordered = sorted(filter(None, counts.values()))[::-1]
    return [(ordered.index(n), n) for n in dict.fromkeys(ordered)]


def how_many_have(counts):
    return sorted(
        ((k, n) for n, k in Counter(filter(None, counts.values())).items()), key=lambda row: -row[1]
    )


def summed(counts):
    ordered = sorted(filter(None, counts.values()))[::-1]
    return [(sum(ordered[: len(ordered) - ordered[::-1].index(n)]), n) for n in dict.fromkeys(ordered)]


def zero_too(counts):
    return [(sum(m >= n for m in counts.values()), n) for n in sorted(set(counts.values()))[::-1]]


def upward(counts):
    return from_below(counts)[::-1]


def turned(counts):
    return [(n, rank) for rank, n in from_below(counts)]


def doubling(counts):
    found, start = [], 1
    while start <= len(counts):
        end = min(2 * start - 1, len(counts))
        found.append((start, end, sum(counts[start - 1 : end])))
        start *= 2
    return found


def only_full(counts):
    return [row for row in by_powers(counts) if row[1] in (2, 8, 26, 80)]


def written_ends(counts):
    return [(a, 3 * a - 1, total) for a, _, total in by_powers(counts)]


def overlapping(counts):
    found, start, end = [], 1, 2
    while start <= len(counts):
        found.append((start, min(end, len(counts)), sum(counts[start - 1 : end])))
        start, end = end, end * 3 + 2
    return found


def averaged(counts):
    return [(a, b, total / (b + 1 - a)) for a, b, total in by_powers(counts)]


def one_three_nine(counts):
    edges = [0, 1, 4, 13, 40, 121]
    cuts = ((a + 1, counts[a:b]) for a, b in itertools.pairwise(edges))
    return [(first, first + len(part) - 1, sum(part)) for first, part in cuts if part]


def threes(counts):
    found = []
    for start in range(1, len(counts) + 1, 3):
        part = counts[start - 1 : start + 2]
        found.append((start, start + len(part) - 1, sum(part)))
    return found


def with_dict_update(counts, left, right, times):
    return {**counts, left: counts[left] - times, right: counts[right] - times, left + right: times}


def right_only(counts, left, right, times):
    counts[right] -= times
    counts[left + right] = times
    return counts


def left_only(counts, left, right, times):
    counts[left] -= times
    counts[left + right] = times
    return counts


def once(counts, left, right, times):
    return by_counter(counts, left, right, 1)


def only_added(counts, left, right, times):
    counts[left + right] = times
    return counts


def positive_only(counts, left, right, times):
    return dict(+Counter(by_counter(counts, left, right, times)))


def wiped(counts, left, right, times):
    return {symbol: 0 if symbol in (left, right) else n for symbol, n in counts.items()} | {
        left + right: times
    }


def added_up(counts, left, right, times):
    new = counts[left] + counts[right]
    return by_counter(counts, left, right, times) | {left + right: new}


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("07-1", 100, "the exponent 1"),
        ("07-1", 10.0, "the exponent 1"),
        ("07-1", 1.5, "the exponent for the count"),
        ("07-1", 0, "a line on ordinary axes"),
        ("07-2", sorted_and_numbered, "a rank for each word"),
        ("07-2", numbered_rows, "rows numbered 1, 2, 3"),
        ("07-2", firsts, "the first of equals"),
        ("07-2", higher_ones, "more for at least"),
        ("07-2", how_many_have, "exactly for at least"),
        ("07-2", summed, "running words for types"),
        ("07-2", zero_too, "zeros kept"),
        ("07-2", upward, "rising order"),
        ("07-2", turned, "count before rank"),
        ("07-3", doubling, "bins twice as wide"),
        ("07-3", one_three_nine, "a first bin of one rank"),
        ("07-3", only_full, "the last bin dropped"),
        ("07-3", written_ends, "ranks beyond the end"),
        ("07-3", overlapping, "a rank in two bins"),
        ("07-3", averaged, "means for sums"),
        ("07-3", threes, "bins of equal width"),
        ("07-4", with_dict_update, "equal parts taken once"),
        ("07-4", once, "one place merged"),
        ("07-4", right_only, "the left part kept"),
        ("07-4", left_only, "the right part kept"),
        ("07-4", only_added, "both parts kept"),
        ("07-4", positive_only, "rows without use dropped"),
        ("07-4", wiped, "both parts used up"),
        ("07-4", added_up, "the sum of the parts"),
    ],
)
def test_a_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed and f"This looks like {name}:" in report.text, report


def test_a_wrong_answer_of_no_kind_is_not_diagnosed():
    assert "This looks like" not in check("07-3", lambda counts: [7]).text
    assert "This looks like" not in check("07-1", 12).text
