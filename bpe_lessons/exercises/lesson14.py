"""The exercises of lesson 14."""

import random
from typing import Any

from bpe_lessons import corpus, lesson
from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.walkthrough import Rules

Words = dict[str, int]

WALKTHROUGH, FLOWER = corpus.words("walkthrough"), corpus.words("flower")
VERDICTS = ["wrong", "holds", "holds", "holds", "wrong"]


def but(*places: int) -> list[str]:
    """The right verdicts with some of them turned round; places count from 1."""
    other = {"wrong": "holds", "holds": "wrong"}
    return [other[verdict] if n in places else verdict for n, verdict in enumerate(VERDICTS, 1)]


# 14-3: the number of a merge


def made(words: Words, form: str, ties: str = "first", steps: int = 1000) -> list[str]:
    taken, vocabulary = Rules(form, ties).run(words, steps)
    return [vocabulary[step.new_id].decode() for step in taken]


def number_of(tokens: list[str], token: str) -> int:
    return tokens.index(token) + 1 if token in tokens else 0


def number_of_merge(words: Words, form: str, token: str) -> int:
    return number_of(made(words, form), token)


def from_zero(words: Words, form: str, token: str) -> int:
    tokens = made(words, form)
    return tokens.index(token) if token in tokens else 0


def none_if_never(words: Words, form: str, token: str) -> int | None:
    return number_of_merge(words, form, token) or None


def ten_merges(words: Words, form: str, token: str) -> int:
    return number_of(made(words, form, steps=10), token)


def always_plain(words: Words, form: str, token: str) -> int:
    return number_of_merge(words, "plain", token)


def by_smallest(words: Words, form: str, token: str) -> int:
    return number_of(made(words, form, "smallest"), token)


def never_equal(words: Words, form: str, token: str) -> int:
    return 0


def place_in_vocabulary(words: Words, form: str, token: str) -> int:
    _, vocabulary = Rules(form).run(words, 1000)
    return number_of([spelling.decode() for spelling in vocabulary.values()], token)


def fresh_merge(source: random.Random) -> tuple[Any, ...]:
    words, form = draw_words(source, 5), source.choice(["plain", "own", "space"])
    tokens = [*made(words, form), "ab", "ca", "bb"]
    return words, form, source.choice(tokens)


# 14-4: what the first merge saves


def first_step(words: Words) -> tuple[lesson.Corpus, lesson.Step | None]:
    rows, start = lesson.spell(words, "characters")
    return rows, next(lesson.train(rows, start, 1), None)


def length(rows: lesson.Corpus) -> int:
    return sum(len(ids) * n for ids, n in rows)


def count_and_saving(words: Words) -> list[int]:
    rows, step = first_step(words)
    return [step.count, length(rows) - length(step.corpus)] if step else [0, 0]


def count_twice(words: Words) -> list[int]:
    return [count_and_saving(words)[0]] * 2


def saving_twice(words: Words) -> list[int]:
    return [count_and_saving(words)[1]] * 2


def turned(words: Words) -> list[int]:
    return count_and_saving(words)[::-1]


def saved_in_types(words: Words) -> list[int]:
    rows, step = first_step(words)
    saved = sum(len(ids) for ids, _ in rows) - sum(len(ids) for ids, _ in step.corpus) if step else 0
    return [step.count if step else 0, saved]


def each_word_once(words: Words) -> list[int]:
    return count_and_saving(dict.fromkeys(words, 1))


def symbols_left(words: Words) -> list[int]:
    _, step = first_step(words)
    return [step.count, length(step.corpus)] if step else [0, 0]


def whole_training(words: Words) -> list[int]:
    rows, start = lesson.spell(words, "characters")
    steps = list(lesson.train(rows, start, 1000))
    return [steps[0].count, length(rows) - length(steps[-1].corpus)] if steps else [0, 0]


def on_bytes(words: Words) -> list[int]:
    rows, start = lesson.spell(words, "bytes")
    step = next(lesson.train(rows, start, 1), None)
    return [step.count, length(rows) - length(step.corpus)] if step else [0, 0]


def draw_words(source: random.Random, longest: int) -> Words:
    words = [
        "".join(source.choices("abc", k=source.randint(2, longest))) for _ in range(source.randint(1, 4))
    ]
    return {word: source.randint(1, 4) for word in words}


def fresh_words(source: random.Random) -> tuple[Any, ...]:
    words = draw_words(source, 6)
    return (words | {"a" * source.randint(3, 7): source.randint(2, 5)},)


EXERCISES = [
    Exercise(
        id="14-1",
        right=VERDICTS,
        mistakes=[
            Mistake(
                "too few merges in 低低低",
                but(1),
                "e4 + bd, then 低, then 低低, then 低低 + 低: four merges, two of them inside the character.",
            ),
            Mistake(
                "a best count that rises",
                but(2),
                "a new pair contains the new token, which occurs at most as often as the pair it came from.",
            ),
            Mistake("a sum", but(3), "256 + 1,000 + 3 = 1,259: each merge adds exactly one entry."),
            Mistake(
                "a token of less than a byte",
                but(4),
                "the smallest token is one byte, so ten bytes are at most ten.",
            ),
            Mistake(
                "one merge a byte",
                but(5),
                "merging doubles: 低低 has six bytes and needs three merges, e4 + bd, 低 and 低低.",
            ),
            Mistake(
                "trust in 1 and 5",
                but(1, 5),
                "take a pencil: how many merges do 低 and then 低低 need?",
            ),
        ],
        hints=(
            "Try 1 and 5 with a pencil on 低 = e4 bd 8e. For 2 ask where a new pair gets its count from.",
            "低低低 takes four merges. 低低, which has six bytes, takes three.",
        ),
    ),
    Exercise(
        id="14-2",
        right=("plain", "first"),
        mistakes=[
            Mistake(
                "the program's own rules",
                ("space", "first"),
                "these are the rules that give ␣low as the fifth merge.",
            ),
            Mistake(
                "another tie rule",
                ("plain", "smallest"),
                "in round 5 it takes e + w: the id of e is smaller than that of n.",
            ),
            Mistake("a marker", ("own", "first"), "with a marker of its own the third merge is est_."),
            Mistake("the wrong end of ties", ("plain", "greatest"), "it begins with s + t."),
            Mistake("both changed", ("space", "smallest"), "with spaces ne is never among the first five."),
            Mistake("the two turned round", ("first", "plain"), "the form comes first, then the tie rule."),
        ],
        hints=(
            "ne among the first five: in which form of lesson 02 does it stand in round 5?",
            "Run Rules(form, ties).run(corpus.words('walkthrough'), 5) for all forms and rules, and compare.",
        ),
    ),
    Exercise(
        id="14-3",
        right=number_of_merge,
        cases=[
            (WALKTHROUGH, "own", "low_"),
            (WALKTHROUGH, "plain", "er"),
            (WALKTHROUGH, "plain", "lower"),
            (FLOWER, "plain", "ow"),
            (WALKTHROUGH, "own", "w"),
        ],
        fresh=fresh_merge,
        mistakes=[
            Mistake("counting from 0", from_zero, "the first merge is number 1."),
            Mistake("None for never", none_if_never, "return 0 when no merge makes the token."),
            Mistake("ten merges only", ten_merges, "go on to the end of training; lower is merge 12."),
            Mistake("the form forgotten", always_plain, "pass the form on to Rules."),
            Mistake(
                "text compared with bytes",
                never_equal,
                "the vocabulary holds bytes, which never equal a text; compare with token.encode().",
            ),
            Mistake("another tie rule", by_smallest, "the rule first is asked for."),
            Mistake(
                "the place in the vocabulary",
                place_in_vocabulary,
                "leave the start alphabet out: only merges are numbered, and a start symbol gives 0.",
            ),
        ],
        hints=(
            "Rules(form).run(words, 1000) gives the steps to the end, and the vocabulary.",
            "Go over enumerate(steps, 1) and compare vocabulary[step.new_id] with token.encode().",
        ),
    ),
    Exercise(
        id="14-4",
        right=count_and_saving,
        cases=[(WALKTHROUGH,), ({"aaa": 1},), ({"aaaab": 2, "b": 3},), ({"低低低": 2},), ({"a": 4},)],
        fresh=fresh_words,
        mistakes=[
            Mistake("the count taken twice", count_twice, "measure what is saved: aaa counts 2 and saves 1."),
            Mistake(
                "the saving taken twice", saving_twice, "the count is that of the step: aaa holds two pairs."
            ),
            Mistake("the two turned round", turned, "the count comes first."),
            Mistake(
                "symbols of distinct words",
                saved_in_types,
                "a word that occurs five times has its symbols five times.",
            ),
            Mistake("every word once", each_word_once, "the words come with their counts."),
            Mistake("bytes", on_bytes, "the start alphabet is characters: 低 is one symbol, not three."),
            Mistake("the whole training", whole_training, "stop after the first merge."),
            Mistake(
                "what is left",
                symbols_left,
                "the difference is asked for: symbols before, less symbols after.",
            ),
        ],
        hints=(
            "next(lesson.train(rows, start, 1), None) is the first step, or None where there is no pair.",
            "The length of a corpus is sum(len(ids) * n for ids, n in rows), before and after step.corpus.",
        ),
    ),
]
