"""The exercises of lesson 11."""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.gage import ENTRY
from bpe_lessons.wordpiece import MARK, UNKNOWN, cut_word

Counts = tuple[int, int, int]  # of a pair, of its left symbol, of its right symbol
HUGE = 10**17

# 11-2: what a pair saves


def saved(block: bytes, pair: bytes) -> int:
    return block.count(pair) - ENTRY


def saved_at_every_position(block: bytes, pair: bytes) -> int:
    return sum(block.startswith(pair, i) for i in range(len(block))) - ENTRY


def entry_every_time(block: bytes, pair: bytes) -> int:
    return block.count(pair) * (1 - ENTRY)


def fresh_block(source: random.Random) -> tuple[Any, ...]:
    block = bytes(source.choices(b"aab", k=source.randint(0, 24)))
    return block, bytes(source.choices(b"aab", k=2))


# 11-3: compare two scores


def higher(first: Counts, second: Counts) -> bool:
    return first[0] * second[1] * second[2] > second[0] * first[1] * first[2]


def comparing(score: Callable[[int, int, int], float | Fraction]) -> Callable[[Counts, Counts], bool]:
    """The comparison by some other score."""
    return lambda first, second: score(*first) > score(*second)


def higher_or_equal(first: Counts, second: Counts) -> bool:
    return not higher(second, first)


def crossed_wrong(first: Counts, second: Counts) -> bool:
    return first[0] * first[1] * first[2] > second[0] * second[1] * second[2]


def fresh_counts(source: random.Random) -> tuple[Any, ...]:
    def counts(base: int) -> Counts:
        left, right = base + source.randint(1, 9), base + source.randint(1, 9)
        return base + source.randint(1, min(left, right) - base), left, right

    if source.random() < 0.3:
        return counts(HUGE), counts(HUGE)
    first = counts(0)
    equal = (first[0], first[2], first[1])
    return first, equal if source.random() < 0.2 else counts(0)


# 11-5: the fewest tokens


def fewest(word: str, vocabulary: Sequence[str], mark: str = MARK) -> int | None:
    """The least number of tokens, from the shortest beginning of the word to the whole."""
    best: list[int | None] = [0]
    for end in range(1, len(word) + 1):
        ways = [
            before + 1
            for start, before in enumerate(best)
            if before is not None and (mark * (start > 0) + word[start:end]) in vocabulary
        ]
        best.append(min(ways, default=None))
    return best[-1]


def by_longest_match(word: str, vocabulary: Sequence[str]) -> int | None:
    tokens = cut_word(word, vocabulary)
    return None if tokens == [UNKNOWN] else len(tokens)


def unknown_as_one(word: str, vocabulary: Sequence[str]) -> int:
    return len(cut_word(word, vocabulary))


def first_way_through(word: str, vocabulary: Sequence[str], start: int = 0) -> int | None:
    if start == len(word):
        return 0
    for end in range(len(word), start, -1):
        if MARK * (start > 0) + word[start:end] in vocabulary:
            rest = first_way_through(word, vocabulary, end)
            if rest is not None:
                return rest + 1
    return None


def last_way_found(word: str, vocabulary: Sequence[str]) -> int | None:
    best: list[int | None] = [0] + [None] * len(word)
    for end in range(1, len(word) + 1):
        for start, before in enumerate(best[:end]):
            if before is not None and MARK * (start > 0) + word[start:end] in vocabulary:
                best[end] = before + 1
    return best[-1]


def without_marks(word: str, vocabulary: Sequence[str]) -> int | None:
    return fewest(word, [token.removeprefix(MARK) for token in vocabulary], "")


def plain_tokens_only(word: str, vocabulary: Sequence[str]) -> int | None:
    return fewest(word, vocabulary, "")


def zero_for_none(word: str, vocabulary: Sequence[str]) -> int:
    return fewest(word, vocabulary) or 0


def infinite(word: str, vocabulary: Sequence[str]) -> float:
    number = fewest(word, vocabulary)
    return float("inf") if number is None else number


def fresh_word(source: random.Random) -> tuple[Any, ...]:
    tokens = ["".join(source.choices("ab", k=source.randint(1, 3))) for _ in range(9)]
    marked = [MARK * (i % 3 > 0) + token for i, token in enumerate(tokens)]
    return "".join(source.choices("ab", k=source.randint(0, 8))), list(dict.fromkeys(marked))


EXERCISES: list[Exercise] = [
    Exercise(
        id="11-1",
        right=["##b", "##s"],
        hints=(
            "Count each symbol first. b at the start of a word and ##b inside one are two symbols.",
            "##s occurs 6 times, always after ##b, which occurs 19 times. ##a occurs 33 times.",
        ),
        mistakes=[
            Mistake(
                "the most frequent pair",
                ["##a", "##b"],
                "that is byte pair encoding; here its count is divided by 33 x 19.",
            ),
            Mistake(
                "the pair seen first",
                ["c", "##a"],
                "its score, 15 / (15 x 33), is 1/33; another pair has a higher one.",
            ),
            Mistake("a symbol without its ##", ["b", "##s"], "both stand inside the word cabs."),
            Mistake("a symbol without its ##", ["##b", "s"], "both stand inside the word cabs."),
            Mistake("a symbol without its ##", ["b", "s"], "both stand inside the word cabs."),
            Mistake("the two turned round", ["##s", "##b"], "in cabs the b comes first."),
        ],
    ),
    Exercise(
        id="11-2",
        right=saved,
        cases=[
            (b"low low low low", b"lo"),
            (b"low low", b"lo"),
            (b"aaaaaaaaaa", b"aa"),
            (b"aaa", b"aa"),
            (b"xyz", b"ab"),
        ],
        fresh=fresh_block,
        hints=(
            "Each replacement makes two bytes one. How many replacements are there?",
            "block.count(pair) counts without overlap, as replacing does. Take 3 away, once.",
        ),
        mistakes=[
            Mistake(
                "overlapping places counted",
                saved_at_every_position,
                "in aaa the pair aa stands twice, and only one of the two can be replaced.",
            ),
            Mistake(
                "the entry forgotten",
                lambda block, pair: block.count(pair),
                "the table costs three bytes for each pair.",
            ),
            Mistake(
                "the entry paid every time",
                entry_every_time,
                "the entry stands in the table once, however often the pair occurs.",
            ),
            Mistake(
                "two bytes saved at each place",
                lambda block, pair: 2 * block.count(pair) - ENTRY,
                "a pair becomes one byte, so one byte is saved.",
            ),
            Mistake(
                "a loss reported as zero",
                lambda block, pair: max(0, saved(block, pair)),
                "a pair that occurs fewer than three times makes things worse; the result is negative.",
            ),
        ],
    ),
    Exercise(
        id="11-3",
        right=higher,
        cases=[
            ((3, 3, 3), (9, 17, 9)),
            ((9, 17, 9), (3, 3, 3)),
            ((2, 5, 4), (1, 5, 2)),
            ((5, 10, 10), (4, 4, 16)),
            ((HUGE, HUGE + 1, HUGE), (HUGE, HUGE + 2, HUGE)),
        ],
        fresh=fresh_counts,
        hints=(
            "n / (l r) > m / (p q): both sides may be multiplied by a positive number.",
            "Multiply by both denominators: n p q > m l r.",
        ),
        mistakes=[
            Mistake(
                "division",
                comparing(lambda pair, left, right: pair / (left * right)),
                "a float keeps about 16 digits; scores that differ later count as equal.",
            ),
            Mistake(
                "division",
                comparing(lambda pair, left, right: pair / left / right),
                "a float keeps about 16 digits, and each division rounds.",
            ),
            Mistake(
                "whole-number division",
                comparing(lambda pair, left, right: pair // (left * right)),
                "// throws the fraction away, and most scores are below 1.",
            ),
            Mistake(
                "the more frequent pair",
                comparing(lambda pair, left, right: pair),
                "the counts of the two symbols are missing.",
            ),
            *(
                Mistake("counts added", comparing(score), "the two counts are multiplied.")
                for score in (
                    lambda pair, left, right: Fraction(pair, left + right),
                    lambda pair, left, right: pair / (left + right),
                )
            ),
            Mistake(
                "higher or equal",
                higher_or_equal,
                "equal scores are not strictly higher; the first seen wins.",
            ),
            Mistake(
                "the wrong sides multiplied",
                crossed_wrong,
                "a denominator goes over to the other side, to the other pair's count.",
            ),
        ],
    ),
    Exercise(
        id="11-4",
        right=[4, 2, 4],
        hints=(
            "What probability has each of the two cuts of ab, and which share of the two together?",
            "ab has 1/4, a b has 1/8: shares 2/3 and 1/3. Six words ab give 4 and 2; the two a come on top.",
        ),
        mistakes=[
            Mistake(
                "only the best cut counted",
                [2, 0, 6],
                "EM counts every cut, each by its share; this is what Viterbi alone would count.",
            ),
            Mistake(
                "both cuts counted alike",
                [5, 3, 3],
                "the cut ab is twice as probable as a b, so it gets two thirds.",
            ),
            Mistake("the word a forgotten", [2, 2, 4], "the two words a use the piece a as well."),
            Mistake(
                "probabilities that are no shares",
                [2.75, 0.75, 1.5],
                "a word ab is there in any case; its two cuts must share it in full, 2/3 and 1/3.",
            ),
            Mistake("the shares turned round", [6, 4, 2], "ab as one piece is the more probable cut."),
            Mistake("another order", [4, 4, 2], "asked are a, b and ab, in this order."),
            Mistake(
                "the new probabilities",
                [0.4, 0.2, 0.4],
                "right, one step too far: asked are the uses before.",
            ),
        ],
    ),
    Exercise(
        id="11-5",
        right=fewest,
        cases=[
            ("abcd", ["abc", "a", "##bcd"]),
            ("unplannedX", ["un", "##plan", "##ned"]),
            ("abcde", ["abc", "ab", "##d", "##e", "##cde"]),
            ("low", ["low", "l", "##o", "##w"]),
            ("aaa", ["a"]),
            ("", ["a"]),
        ],
        fresh=fresh_word,
        hints=(
            "Keep, for each position, the least number of tokens that lead there: 0 at the start, None where "
            "nothing leads.",
            "For each end look at every start whose number is not None: if the piece between them, with ## "
            "unless start is 0, is in the vocabulary, it leads to end with one token more. Keep the least.",
        ),
        mistakes=[
            Mistake(
                "longest match",
                by_longest_match,
                "it can run into a dead end and can need more tokens; look at every start for each end.",
            ),
            Mistake(
                "an unknown word as one token",
                unknown_as_one,
                "that is longest match, and [UNK] is no way through the word.",
            ),
            Mistake(
                "the first way through",
                first_way_through,
                "going back at a dead end finds a way, and not always the shortest.",
            ),
            Mistake(
                "the last way found",
                last_way_found,
                "a position can be reached in several ways; keep the smaller number.",
            ),
            Mistake("## ignored", without_marks, "a token without ## stands at the start of a word only."),
            Mistake(
                "## forgotten",
                plain_tokens_only,
                "inside the word the piece is looked up with ## in front of it.",
            ),
            Mistake(
                "0 for no way", zero_for_none, "the empty word needs 0 tokens; no way through gives None."
            ),
            Mistake("infinity for no way", infinite, "good inside; give None at the end."),
        ],
    ),
]
