"""The exercises of lesson 08."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from bpe_lessons import corpus, lesson
from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.glyphs import from_glyphs, to_glyphs
from bpe_lessons.lesson import Corpus, Pair, Vocabulary

Tied = Sequence[tuple[str, str]]  # spelled pairs of equal count, in the order first seen
Words = dict[str, int]

WALKTHROUGH = corpus.words("walkthrough")


def with_greatest(key: Callable[[tuple[str, str]], Any]) -> Callable[[Tied], tuple[str, str]]:
    """A rule that takes the pair with the greatest key, the first of equals."""
    return lambda tied: max(tied, key=key)


def with_smallest(key: Callable[[tuple[str, str]], Any]) -> Callable[[Tied], tuple[str, str]]:
    """A rule that takes the pair with the smallest key, the first of equals."""
    return lambda tied: min(tied, key=key)


# 08-2: the greatest of pairs in glyphs


def bytes_of(pair: tuple[str, str]) -> tuple[bytes, bytes]:
    return from_glyphs(pair[0]), from_glyphs(pair[1])


def decoded(pair: tuple[str, str]) -> list[str]:
    return [part.decode("utf-8", "replace") for part in bytes_of(pair)]


def back_in_bytes(tied: Tied) -> tuple[bytes, bytes]:
    return max(map(bytes_of, tied))


def fresh_glyphs(source: random.Random) -> tuple[Any, ...]:
    parts = [
        b" ",
        b"\n",
        b"a",
        b"n",
        b"nm",
        b"zz",
        b" a",
        b"\xe6",
        b"\x80",
        b"\x98",
        b"\xe6\x98",
        "é".encode(),
    ]
    pairs = source.sample([(left, right) for left in parts for right in parts], source.randint(2, 6))
    return ([(to_glyphs(left), to_glyphs(right)) for left, right in pairs],)


# 08-3: the shortest token first


def joined(pair: tuple[str, str]) -> str:
    return pair[0] + pair[1]


def shortest(pair: tuple[str, str]) -> tuple[int, str]:
    return len(joined(pair)), joined(pair)


def shortest_then_pair(pair: tuple[str, str]) -> tuple[int, tuple[str, str]]:
    return len(joined(pair)), pair


def part_lengths(pair: tuple[str, str]) -> tuple[int, int, str]:
    return len(pair[0]), len(pair[1]), joined(pair)


def shortest_then_greatest(tied: Tied) -> tuple[str, str]:
    least = min(len(joined(pair)) for pair in tied)
    return max((pair for pair in tied if len(joined(pair)) == least), key=joined)


def shortest_in_bytes(pair: tuple[str, str]) -> tuple[int, str]:
    return len(joined(pair).encode()), joined(pair)


def fresh_tokens(source: random.Random) -> tuple[Any, ...]:
    tokens = source.sample(
        ["low", "lot", "▁lo", "newest", "ew", "好的", "abc", "wid", "我们的", "west", "▁wid"], 5
    )
    cuts = [source.randint(1, len(token) - 1) for token in tokens]
    return ([(token[:cut], token[cut:]) for token, cut in zip(tokens, cuts)],)


# 08-4: the rounds that tie


def training(words: Words, merges: int) -> list[lesson.Step]:
    return list(lesson.train(*lesson.spell(words, "characters"), merges))


def rounds_that_tie(words: Words, merges: int) -> int:
    return sum(len(step.tied) > 1 for step in training(words, merges))


def losers(words: Words, merges: int) -> int:
    return sum(len(step.tied) - 1 for step in training(words, merges))


def all_leaders(words: Words, merges: int) -> int:
    return sum(len(step.tied) for step in training(words, merges) if len(step.tied) > 1)


def equal_neighbours(words: Words, merges: int) -> int:
    counts = [step.count for step in training(words, merges)]
    return sum(one == other for one, other in zip(counts, counts[1:]))


def rounds_without_tie(words: Words, merges: int) -> int:
    return len(training(words, merges)) - rounds_that_tie(words, merges)


def every_round(words: Words, merges: int) -> int:
    return rounds_that_tie(words, sum(map(len, words)))


def of_smallest(words: Words, merges: int) -> int:
    steps = lesson.train(*lesson.spell(words, "characters"), merges, "smallest")
    return sum(len(step.tied) > 1 for step in steps)


def fresh_words(source: random.Random) -> tuple[Any, ...]:
    words = ["".join(source.choices("abcd", k=source.randint(2, 5))) for _ in range(source.randint(1, 4))]
    return {word: source.randint(1, 4) for word in words}, source.randint(1, 5)


# 08-5: the tokens that are sure


def endings(rows: Corpus, vocabulary: Vocabulary, merges: int) -> list[frozenset[str]]:
    """The tokens made on every road, a set for each road."""
    counts = lesson.count_pairs(rows)
    if not merges or not counts:
        return [frozenset()]
    found, new_id = [], len(vocabulary)
    for pair in leading(counts):
        token = vocabulary[pair[0]] + vocabulary[pair[1]]
        after = [(lesson.merge(ids, pair, new_id), n) for ids, n in rows]
        rest = endings(after, vocabulary | {new_id: token}, merges - 1)
        found += [tokens | {token.decode()} for tokens in rest]
    return found


def leading(counts: dict[Pair, int]) -> list[Pair]:
    return [pair for pair in counts if counts[pair] == max(counts.values())]


def sure_tokens(words: Words, merges: int) -> list[str]:
    return sorted(frozenset.intersection(*endings(*lesson.spell(words, "characters"), merges)))


def pairs_on_roads(rows: Any, merges: int) -> list[frozenset[Any]]:
    """The pairs merged on every road, a set for each road; a new symbol is the pair itself."""
    counts = lesson.count_pairs(rows)
    if not merges or not counts:
        return [frozenset()]
    found: list[frozenset[Any]] = []
    for pair in leading(counts):
        after = [(lesson.merge(ids, pair, pair), n) for ids, n in rows]  # type: ignore[arg-type]
        found += [made | {pair} for made in pairs_on_roads(after, merges - 1)]
    return found


def spelled(symbol: Any, letters: Vocabulary) -> str:
    if symbol in letters:
        return letters[symbol].decode()
    return "".join(spelled(part, letters) for part in symbol)


def sure_pairs(words: Words, merges: int) -> list[str]:
    rows, letters = lesson.spell(words, "characters")
    return sorted(spelled(pair, letters) for pair in frozenset.intersection(*pairs_on_roads(rows, merges)))


def in_bytes(words: Words, merges: int) -> list[bytes]:
    return [token.encode() for token in sure_tokens(words, merges)]


def possible_tokens(words: Words, merges: int) -> list[str]:
    return sorted(frozenset.union(*endings(*lesson.spell(words, "characters"), merges)))


def of_named_rules(words: Words, merges: int) -> list[str]:
    return sorted(set.intersection(*(set(by_rule(words, merges, ties)) for ties in RULES)))


def of_first(words: Words, merges: int) -> list[str]:
    return sorted(set(by_rule(words, merges, "first")))


def with_letters(words: Words, merges: int) -> list[str]:
    return sorted({*sure_tokens(words, merges), *"".join(words)})


RULES = ("first", "smallest", "greatest")


def by_rule(words: Words, merges: int, ties: str) -> list[str]:
    rows, start = lesson.spell(words, "characters")
    pairs = [step.pair for step in lesson.train(rows, start, merges, ties)]
    return [token.decode() for token in list(lesson.grow(pairs, start).values())[len(start) :]]


def fresh_corpus(source: random.Random) -> tuple[Any, ...]:
    words = ["".join(source.choices("abc", k=source.randint(2, 4))) for _ in range(source.randint(1, 3))]
    return {word: source.randint(1, 3) for word in words}, source.randint(1, 3)


EXERCISES = [
    Exercise(
        id="08-1",
        right=("nm", "m"),
        mistakes=[
            Mistake(
                "joined strings",
                ("n", "zz"),
                "a pair is compared part by part, and nm is greater than n, its own beginning.",
            ),
            Mistake("the joined token", "nmm", "answer with the pair."),
            Mistake("the rule smallest", ("m", "n"), "the greatest pair is asked for."),
        ],
        hints=(
            "Compare the left parts of the pairs first, as in a dictionary.",
            "Two left parts begin with n: n and nm. A string is smaller than its own continuation.",
        ),
    ),
    Exercise(
        id="08-2",
        right=with_greatest(bytes_of),
        cases=[
            ([("Ġ", "n"), ("e", "w"), ("n", "e")],),
            ([("Ġ", "t"), ("Ġ", "a")],),
            ([("nm", "m"), ("n", "zz")],),
            ([("Ċ", "Ċ"), ("Ġ", "Ġ")],),
            ([("æ", "Ģ"), ("æ", "ĺ")],),
            ([("a", "Ģ"), ("a", "Ġ")],),
        ],
        fresh=fresh_glyphs,
        mistakes=[
            Mistake(
                "glyphs compared",
                with_greatest(lambda pair: pair),
                "Ġ is greater than the letters a to z, its byte 20 is smaller; compare from_glyphs of both.",
            ),
            Mistake(
                "joined bytes",
                with_greatest(lambda pair: from_glyphs(joined(pair))),
                "compare part by part: (nm, m) is greater than (n, zz).",
            ),
            Mistake(
                "decoded text compared",
                with_greatest(decoded),
                "bytes that are no whole character all decode to the same U+FFFD.",
            ),
            Mistake(
                "left parts only",
                with_greatest(lambda pair: from_glyphs(pair[0])),
                "where the left parts are equal, the right parts decide.",
            ),
            Mistake("the rule first", lambda tied: tied[0], "the greatest pair is asked for."),
            Mistake("the rule smallest", with_smallest(bytes_of), "the greatest pair is asked for."),
            Mistake(
                "bytes given back", back_in_bytes, "return the pair as it stands in the list, in glyphs."
            ),
        ],
        hints=(
            "max takes a key: a function that says by what two pairs are compared.",
            "The key of a pair is (from_glyphs(left), from_glyphs(right)).",
        ),
    ),
    Exercise(
        id="08-3",
        right=with_smallest(shortest),
        cases=[
            ([("n", "e"), ("e", "w"), ("w", "est")],),
            ([("new", "est"), ("▁", "low")],),
            ([("▁", "n"), ("e", "w")],),
            ([("l", "ow"), ("lo", "t")],),
            ([("w", "i"), ("i", "d"), ("d", "est")],),
            ([("好", "的"), ("a", "bc")],),
        ],
        fresh=fresh_tokens,
        mistakes=[
            Mistake(
                "length in bytes",
                with_smallest(shortest_in_bytes),
                "SentencePiece counts characters: 好的 has two.",
            ),
            Mistake(
                "no second rule",
                with_smallest(lambda pair: len(joined(pair))),
                "among equally short tokens the one that comes first in code point order wins.",
            ),
            Mistake(
                "the pair compared",
                with_smallest(shortest_then_pair),
                "among equally short ones the joined tokens are compared: lot comes before low.",
            ),
            Mistake(
                "lengths of the parts",
                with_smallest(part_lengths),
                "the length of the joined token counts, not the length of its left part.",
            ),
            Mistake(
                "the greatest among equals",
                shortest_then_greatest,
                "among equally short tokens the one that comes first in code point order wins.",
            ),
            Mistake(
                "the rule first", lambda tied: tied[0], "the shortest joined token wins, wherever it stands."
            ),
            Mistake(
                "no length",
                with_smallest(joined),
                "the length of the joined token decides first, its spelling only among equals.",
            ),
            Mistake(
                "the longest token",
                with_greatest(lambda pair: len(joined(pair))),
                "the shortest is asked for.",
            ),
            Mistake(
                "the longest token, then the greatest",
                with_greatest(shortest),
                "the shortest is asked for, and the smallest among equals.",
            ),
            Mistake(
                "the joined token given back",
                lambda tied: joined(min(tied, key=shortest)),
                "return the pair, not its token.",
            ),
        ],
        hints=(
            "min takes a key, and a key can be a tuple: its first part decides, its second among equals.",
            "The key of a pair is (len(left + right), left + right).",
        ),
    ),
    Exercise(
        id="08-4",
        right=rounds_that_tie,
        cases=[
            (WALKTHROUGH, 4),
            (WALKTHROUGH, 12),
            ({"aaa": 1}, 5),
            ({"ab": 2, "cd": 2, "ef": 1}, 9),
            ({"cdccc": 4, "acdc": 4}, 2),
        ],
        fresh=fresh_words,
        mistakes=[
            Mistake("losers counted", losers, "a round with three leaders is one round, not two."),
            Mistake("leaders counted", all_leaders, "count the rounds, not the pairs that lead them."),
            Mistake(
                "equal counts in a row",
                equal_neighbours,
                "es and est both have 9, but est did not exist when es was merged; look at step.tied.",
            ),
            Mistake("the whole training", every_round, "stop after `merges` rounds."),
            Mistake(
                "the rule smallest",
                of_smallest,
                "the rule first is asked for; the winner changes later counts.",
            ),
            Mistake(
                "rounds without a tie",
                rounds_without_tie,
                "step.tied holds the winner too: a clear round has one leader.",
            ),
        ],
        hints=(
            "Each Step carries its leaders in `tied`, the winner among them.",
            "Go over train(*spell(words, 'characters'), merges) and count the steps with len(step.tied) > 1.",
        ),
    ),
    Exercise(
        id="08-5",
        right=sure_tokens,
        cases=[(WALKTHROUGH, 4), (WALKTHROUGH, 1), ({"ab": 3, "abc": 1}, 2), ({"abc": 1}, 2)],
        fresh=fresh_corpus,
        mistakes=[
            Mistake(
                "the tokens of some road",
                possible_tokens,
                "a sure token stands in every vocabulary: intersection, not union.",
            ),
            Mistake(
                "the three named rules only",
                of_named_rules,
                "ties can be broken in other ways too; follow every leader.",
            ),
            Mistake(
                "pairs compared",
                sure_pairs,
                "est can be made as es + t or as e + st; compare the tokens, not their pairs.",
            ),
            Mistake("tokens in bytes", in_bytes, "strings are asked for; decode each token."),
            Mistake("one road", of_first, "the rule first is one road of many."),
            Mistake("start letters too", with_letters, "only the tokens that merges made are asked for."),
        ],
        hints=(
            "vocabularies(roads(rows, merges), start) gives one set of tokens for each end.",
            "Take frozenset.intersection(*those_sets), decode each token, sort.",
        ),
    ),
]
