"""The exercises of lesson 11: other right answers pass, classic mistakes are named."""

import re
from fractions import Fraction
from functools import cache

import pytest

from bpe_lessons import check

# Right answers, written in another way than the solutions.


def by_replacing(block, pair):
    return len(block) - len(block.replace(pair, b"-")) - 3


def by_fractions(first, second):
    return Fraction(first[0], first[1]) / first[2] > Fraction(second[0], second[1]) / second[2]


def level_by_level(word, vocabulary):
    places, tokens = {0}, 0
    while places:
        if len(word) in places:
            return tokens
        places = {
            place + len(token.removeprefix("##"))
            for place in places
            for token in vocabulary
            if token.startswith("##") == (place > 0) and word.startswith(token.removeprefix("##"), place)
        }
        tokens += 1
    return None


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("11-1", ("##b", "##s")),
        ("11-2", by_replacing),
        ("11-3", by_fractions),
        ("11-4", (4.0, 2.0, 4.0)),
        ("11-5", level_by_level),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def with_overlap(block, pair):
    return len(re.findall(b"(?=%s)" % re.escape(pair), block)) - 3


def table_for_free(block, pair):
    return len(block) - len(block.replace(pair, b"-"))


def entries_everywhere(block, pair):
    return sum(1 - 3 for _ in re.findall(re.escape(pair), block))


def both_bytes_gone(block, pair):
    return len(block) - len(block.replace(pair, b"")) - 3


def never_a_loss(block, pair):
    gain = len(re.findall(re.escape(pair), block)) - 3
    return gain if gain > 0 else 0


def floats(first, second):
    (n, left, right), (m, other_left, other_right) = first, second
    return n / (left * right) > m / (other_left * other_right)


def floats_twice(first, second):
    return (first[0] / first[1]) / first[2] > (second[0] / second[1]) / second[2]


def no_fraction(first, second):
    return first[0] // (first[1] * first[2]) > second[0] // (second[1] * second[2])


def frequency(first, second):
    return max(first[0], second[0]) == first[0] != second[0]


def sums(first, second):
    return Fraction(first[0], sum(first[1:])) > Fraction(second[0], sum(second[1:]))


def at_least(first, second):
    return first[0] * second[1] * second[2] >= second[0] * first[1] * first[2]


def own_side(first, second):
    product = 1
    for number in first:
        product *= number
    for number in second:
        product = Fraction(product, number)
    return product > 1


def greedy(word, vocabulary):
    number, place = 0, 0
    while place < len(word):
        fitting = [
            end
            for end in range(place + 1, len(word) + 1)
            if ("##" if place else "") + word[place:end] in vocabulary
        ]
        if not fitting:
            return None
        place, number = fitting[-1], number + 1
    return number


def greedy_with_unknown(word, vocabulary):
    number = greedy(word, vocabulary)
    return 1 if number is None else number


def backtracking(word, vocabulary):
    def search(place):
        if place == len(word):
            return []
        for end in reversed(range(place + 1, len(word) + 1)):
            token = ("##" if place else "") + word[place:end]
            if token in vocabulary and (rest := search(end)) is not None:
                return [token, *rest]
        return None

    found = search(0)
    return found if found is None else len(found)


def overwriting(word, vocabulary):
    ways = {0: 0}
    for end in range(1, len(word) + 1):
        for start in range(end):
            if start in ways and ("##" if start else "") + word[start:end] in vocabulary:
                ways[end] = ways[start] + 1
    return ways.get(len(word))


def recursive(word, spelled, nothing):
    """The least number of tokens, where `spelled(place, text)` says whether a token fits."""

    @cache
    def least(place):
        if place == len(word):
            return 0
        ends = range(place + 1, len(word) + 1)
        return min((1 + least(end) for end in ends if spelled(place, word[place:end])), default=float("inf"))

    return least(0) if least(0) < float("inf") else nothing


def marks_do_not_matter(word, vocabulary):
    return recursive(word, lambda place, text: text in vocabulary or "##" + text in vocabulary, None)


def marks_unknown(word, vocabulary):
    return recursive(word, lambda place, text: text in vocabulary, None)


def nothing_is_zero(word, vocabulary):
    return recursive(word, lambda place, text: "##" * bool(place) + text in vocabulary, 0)


def nothing_is_infinite(word, vocabulary):
    return recursive(word, lambda place, text: "##" * bool(place) + text in vocabulary, float("inf"))


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("11-1", ["##a", "##b"], "the most frequent pair"),
        ("11-1", ["c", "##a"], "the pair seen first"),
        ("11-1", ("b", "s"), "a symbol without its ##"),
        ("11-1", ["b", "##s"], "a symbol without its ##"),
        ("11-1", ["##b", "s"], "a symbol without its ##"),
        ("11-1", ["##s", "##b"], "the two turned round"),
        ("11-2", with_overlap, "overlapping places counted"),
        ("11-2", table_for_free, "the entry forgotten"),
        ("11-2", entries_everywhere, "the entry paid every time"),
        ("11-2", both_bytes_gone, "two bytes saved at each place"),
        ("11-2", never_a_loss, "a loss reported as zero"),
        ("11-3", floats, "division"),
        ("11-3", floats_twice, "division"),
        ("11-3", no_fraction, "whole-number division"),
        ("11-3", frequency, "the more frequent pair"),
        ("11-3", sums, "counts added"),
        ("11-3", at_least, "higher or equal"),
        ("11-3", own_side, "the wrong sides multiplied"),
        ("11-4", [2, 0, 6], "only the best cut counted"),
        ("11-4", [5, 3, 3], "both cuts counted alike"),
        ("11-4", [2, 2, 4], "the word a forgotten"),
        ("11-4", [2 + 6 / 8, 6 / 8, 6 / 4], "probabilities that are no shares"),
        ("11-4", [4 / 10, 2 / 10, 4 / 10], "the new probabilities"),
        ("11-4", [2 + 4, 4, 2], "the shares turned round"),
        ("11-4", [4, 4, 2], "another order"),
        ("11-5", greedy, "longest match"),
        ("11-5", greedy_with_unknown, "an unknown word as one token"),
        ("11-5", backtracking, "the first way through"),
        ("11-5", overwriting, "the last way found"),
        ("11-5", marks_do_not_matter, "## ignored"),
        ("11-5", marks_unknown, "## forgotten"),
        ("11-5", nothing_is_zero, "0 for no way"),
        ("11-5", nothing_is_infinite, "infinity for no way"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
