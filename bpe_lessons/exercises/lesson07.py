"""The exercises of lesson 07."""

import random
from collections.abc import Callable
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake

Rows = list[tuple[int, int]]


# 07-2: equal counts, one rank


def at_least(counts: dict[str, int]) -> Rows:
    distinct = sorted({count for count in counts.values() if count}, reverse=True)
    return [(sum(count >= bound for count in counts.values()), bound) for bound in distinct]


def a_rank_each(counts: dict[str, int]) -> Rows:
    return list(enumerate(sorted((count for count in counts.values() if count), reverse=True), 1))


def dense(counts: dict[str, int]) -> Rows:
    return [(rank, count) for rank, (_, count) in enumerate(at_least(counts), 1)]


def first_of_equals(counts: dict[str, int]) -> Rows:
    return [(1 + sum(other > count for other in counts.values()), count) for _, count in at_least(counts)]


def more_than(counts: dict[str, int]) -> Rows:
    return [(sum(other > count for other in counts.values()), count) for _, count in at_least(counts)]


def exactly(counts: dict[str, int]) -> Rows:
    return [(list(counts.values()).count(count), count) for _, count in at_least(counts)]


def running(counts: dict[str, int]) -> Rows:
    return [(sum(c for c in counts.values() if c >= count), count) for _, count in at_least(counts)]


def with_zeros(counts: dict[str, int]) -> Rows:
    zeros = [(len(counts), 0)] if 0 in counts.values() else []
    return at_least(counts) + zeros


def rising(counts: dict[str, int]) -> Rows:
    return at_least(counts)[::-1]


def count_first(counts: dict[str, int]) -> Rows:
    return [row[::-1] for row in at_least(counts)]


def fresh_counts(source: random.Random) -> tuple[Any, ...]:
    words = source.sample("abcdefgh", source.randint(0, 8))
    return ({word: source.choice((0, 1, 1, 1, 2, 2, 3, 9)) for word in words},)


# 07-3: bins three times as wide


def binned(first: int, factor: int, whole: bool = False, beyond: bool = False, shared: bool = False) -> Any:
    """A way to cut ranks into bins that begin at `first` and grow by `factor`, with the faults named."""

    def bins(counts: list[int]) -> list[tuple[int, int, int]]:
        found = []
        start = 1
        end = first
        while start <= len(counts):
            last = end if beyond else min(end, len(counts))
            if not (whole and end > len(counts)):
                found.append((start, last, sum(counts[start - 1 : end])))
            start, end = end + (not shared), (end + 1) * factor - 1
        return found

    return bins


def from_width_1(counts: list[int]) -> list[tuple[int, int, int]]:
    found = []
    start, width = 1, 1
    while start <= len(counts):
        end = start + width - 1
        found.append((start, min(end, len(counts)), sum(counts[start - 1 : end])))
        start, width = end + 1, 3 * width
    return found


def means(counts: list[int]) -> list[tuple[int, int, float]]:
    return [(a, b, total / (b - a + 1)) for a, b, total in binned(2, 3)(counts)]


def equal_width(counts: list[int]) -> list[tuple[int, int, int]]:
    starts = range(0, len(counts), 3)
    return [(i + 1, min(i + 3, len(counts)), sum(counts[i : i + 3])) for i in starts]


def fresh_falling(source: random.Random) -> tuple[Any, ...]:
    return (sorted((source.randint(1, 99) for _ in range(source.randint(0, 40))), reverse=True),)


# 07-4: the counts after a merge


def after_merge(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    counts = dict(counts)
    counts[left] -= times
    counts[right] -= times
    counts[left + right] = times
    return counts


def once_for_equals(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    taken = {part: counts[part] - times for part in (left, right)}
    return counts | taken | {left + right: times}


def only_one_part(part: int) -> Callable[..., dict[str, int]]:
    def count(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
        found = after_merge(counts, left, right, times)
        untouched = (left, right)[part]
        return found | {untouched: found[untouched] + times}

    return count


def one_place(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    return after_merge(counts, left, right, 1)


def parts_kept(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    return counts | {left + right: times}


def without_zeros(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    return {symbol: n for symbol, n in after_merge(counts, left, right, times).items() if n}


def parts_gone(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    return counts | {left: 0, right: 0} | {left + right: times}


def sum_of_parts(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    return after_merge(counts, left, right, times) | {left + right: counts[left] + counts[right]}


def fresh_merge(source: random.Random) -> tuple[Any, ...]:
    counts = {symbol: source.randint(4, 30) for symbol in source.sample(["l", "o", "w", "er", "est"], 4)}
    left, right = source.choice(list(counts)), source.choice(list(counts))
    most = counts[left] // 2 if left == right else min(counts[left], counts[right])
    return counts, left, right, source.choice((most, source.randint(1, most)))


EXERCISES: list[Exercise] = [
    Exercise(
        id="07-1",
        right=1,
        hints=(
            "How many powers of ten lies the second point to the right of the first, and how many below it?",
            "Two to the right, three down: each power of ten to the right costs one and a half. From "
            "rank 100 to rank 10,000 it is two to the right once more.",
        ),
        mistakes=[
            Mistake("the exponent 1", 100, "1,000,000 / 10,000 takes s for 1; the second point says 1.5."),
            Mistake(
                "the exponent 1", 10, "from rank 100 on you took s for 1; the line keeps its slope, 1.5."
            ),
            Mistake("the exponent for the count", 1.5, "right, s is 1.5; now go on to rank 10,000."),
            Mistake(
                "a line on ordinary axes",
                0,
                "the line is straight on logarithmic axes: factors count, not differences.",
            ),
        ],
    ),
    Exercise(
        id="07-2",
        right=at_least,
        cases=[
            ({"low": 5, "lower": 2, "newest": 6, "widest": 3},),
            ({"a": 3, "b": 1, "c": 3, "d": 1, "e": 1},),
            ({"a": 0, "b": 7},),
            ({},),
        ],
        fresh=fresh_counts,
        hints=(
            "One row for each different count. How many words have at least that count?",
            "for count in sorted(set(counts.values()), reverse=True): the rank is "
            "sum(other >= count for other in counts.values()). Leave the count 0 out.",
        ),
        mistakes=[
            Mistake("a rank for each word", a_rank_each, "words of equal count share one row here."),
            Mistake("rows numbered 1, 2, 3", dense, "the rank says how many words, not how many rows."),
            Mistake("the first of equals", first_of_equals, "count the words with at least this count."),
            Mistake("more for at least", more_than, "words with this very count belong to the rank as well."),
            Mistake("exactly for at least", exactly, "words with a higher count belong to the rank as well."),
            Mistake("running words for types", running, "each word counts once, however often it occurs."),
            Mistake("zeros kept", with_zeros, "a word that does not occur has no rank."),
            Mistake("rising order", rising, "the highest count comes first."),
            Mistake("count before rank", count_first, "the rank comes first, then the count."),
        ],
    ),
    Exercise(
        id="07-3",
        right=binned(2, 3),
        cases=[
            ([120, 60, 40, 30, 24, 20],),
            ([9],),
            ([9, 8, 7, 6, 5, 4, 3, 2],),
            ([9, 8, 7, 6, 5, 4, 3, 2, 1],),
            ([],),
        ],
        fresh=fresh_falling,
        hints=(
            "Which rank does each bin begin with? 1, 3, 9, 27: three times the one before.",
            "start = 1; while start <= len(counts): the bin ends at min(3 * start - 1, len(counts)), its sum "
            "is sum(counts[start - 1 : 3 * start - 1]); then start *= 3.",
        ),
        mistakes=[
            Mistake("bins twice as wide", binned(1, 2), "the factor is three: 1-2, 3-8, 9-26."),
            Mistake("a first bin of one rank", from_width_1, "the first bin has two ranks, 1 and 2."),
            Mistake("the last bin dropped", binned(2, 3, whole=True), "an incomplete bin counts as well."),
            Mistake(
                "ranks beyond the end", binned(2, 3, beyond=True), "the last bin ends with the last rank."
            ),
            Mistake(
                "a rank in two bins", binned(2, 3, shared=True), "a bin begins one rank after the other."
            ),
            Mistake("means for sums", means, "the third number is the sum of the counts."),
            Mistake("bins of equal width", equal_width, "each bin is three times as wide as the one before."),
        ],
    ),
    Exercise(
        id="07-4",
        right=after_merge,
        cases=[
            ({"e": 17, "w": 16, "s": 9, "t": 9}, "e", "s", 9),
            ({"es": 9, "t": 9, "l": 7}, "es", "t", 9),
            ({"a": 5, "b": 1}, "a", "a", 2),
            ({"l": 7, "o": 9}, "l", "o", 6),
        ],
        fresh=fresh_merge,
        hints=(
            "Each place uses up one left symbol and one right symbol. What if both are the same symbol?",
            "Copy the dict, subtract times from counts[left], then from counts[right], then set "
            "counts[left + right] = times.",
        ),
        mistakes=[
            Mistake(
                "equal parts taken once",
                once_for_equals,
                "where left and right are one symbol it loses two a place.",
            ),
            Mistake("one place merged", one_place, "the pair is merged in `times` places."),
            Mistake("the left part kept", only_one_part(0), "the merge uses up the left symbol too."),
            Mistake("the right part kept", only_one_part(1), "the merge uses up the right symbol too."),
            Mistake("both parts kept", parts_kept, "the new token takes the place of its two parts."),
            Mistake(
                "rows without use dropped", without_zeros, "the row stays in the vocabulary, with count 0."
            ),
            Mistake("both parts used up", parts_gone, "they stay where they stand in other pairs."),
            Mistake(
                "the sum of the parts", sum_of_parts, "the new token stands where the pair stood: `times`."
            ),
        ],
    ),
]
