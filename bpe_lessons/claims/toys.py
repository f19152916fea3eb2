"""Statements on two toy corpora: low, lower, newest, widest, and lower, lowest, flower."""

from collections.abc import Mapping
from typing import Any

from bpe_lessons import corpus, lesson
from bpe_lessons.lesson import Corpus, Pair, Step
from bpe_lessons.show import readable, row_of
from bpe_lessons.walkthrough import TIES, Rules

SMALL, FLOWER = "walkthrough", "flower"


def run(form: str, steps: int, name: str = SMALL, ties: str = "first") -> tuple[list[Step], dict[int, str]]:
    """The steps of a training on a toy corpus, and its vocabulary, readable."""
    taken, vocabulary = Rules(form, ties).run(corpus.words(name), steps)
    return taken, {id: readable(token) for id, token in vocabulary.items()}


def tokens(form: str, steps: int, name: str = SMALL, ties: str = "first") -> list[str]:
    """The tokens of the merges, in order."""
    taken, names = run(form, steps, name, ties)
    return [names[step.new_id] for step in taken]


def counted(form: str, steps: int, name: str = SMALL) -> list[str]:
    """The tokens of the merges with their counts, in order: `es 9`."""
    taken, names = run(form, steps, name)
    return [f"{names[step.new_id]} {step.count}" for step in taken]


def spelled(pairs: list[Pair], names: Mapping[int, str]) -> list[str]:
    """What the pairs would be, joined."""
    return [names[left] + names[right] for left, right in pairs]


def counts(form: str, name: str = SMALL) -> dict[str, int]:
    """The count of every pair before the first merge."""
    rows, start = Rules(form).start(corpus.words(name))
    return {(start[left] + start[right]).decode(): n for (left, right), n in lesson.count_pairs(rows).items()}


def leaders(form: str) -> dict[str, Any]:
    """The pairs that lead round 1, and the one taken."""
    [step], names = run(form, 1)
    return {"tied": spelled(step.tied, names), "taken": names[step.new_id], "count": step.count}


def before_and_after(form: str, pair: str, name: str = SMALL) -> list[int]:
    """The count of a pair of letters in round 1, and what the first merge leaves of it."""
    [step], names = run(form, 1, name)
    left, right = (id for letter in pair for id in names if names[id] == letter)
    return [counts(form, name)[pair], lesson.count_pairs(step.corpus).get((left, right), 0)]


def rows_after(form: str, steps: int) -> list[str]:
    """The words of the corpus after some merges, with their numbers."""
    taken, vocabulary = Rules(form).run(corpus.words(SMALL), steps)
    return [f"{row_of(ids, vocabulary)} x{n}" for ids, n in taken[-1].corpus]


def spelling(symbol: Any, start: Mapping[int, bytes]) -> bytes:
    """The bytes of a symbol that is an id or a pair of symbols."""
    return start[symbol] if symbol in start else b"".join(spelling(part, start) for part in symbol)


def endings(rows: Corpus, start: Mapping[int, bytes]) -> set[frozenset[bytes]]:
    """Every set of merged tokens that some way of breaking ties ends in."""
    times = [n for _, n in rows]
    reached: set[Any] = {(tuple(tuple(ids) for ids, _ in rows), frozenset())}
    final = set()
    while reached:
        pieces, made = reached.pop()
        found: dict[Any, int] = lesson.count_pairs(list(zip(pieces, times)))
        if not found:
            final.add(frozenset(spelling(pair, start) for pair in made))
        for pair in [pair for pair in found if found[pair] == max(found.values())]:
            merged = tuple(tuple(lesson.merge(ids, pair, pair)) for ids in pieces)
            reached.add((merged, made | {pair}))
    return final


def claim_002_13() -> dict[str, Any]:
    """The merges of lower, lowest, flower, the pairs that tie in round 1, and how often o w is left then."""
    steps, names = run("plain", 7, FLOWER)
    _, left = before_and_after("plain", "ow", FLOWER)
    merged = counted("plain", 7, FLOWER)
    return {"merges": merged, "tied": spelled(steps[0].tied, names), "o w after lo": left}


def claim_002_14() -> dict[str, int]:
    """All ways to break ties in lower, lowest, flower, and in how many of them each token arises."""
    final = endings(*Rules("plain").start(corpus.words(FLOWER)))
    words = ("er", "est", "lowe", "lower", "lowest", "flower")
    return {"outcomes": len(final)} | {word: sum(word.encode() in made for made in final) for word in words}


def claim_002_29() -> dict[str, Any]:
    """Tokens still in the vocabulary though the corpus has none left, and whether ten merges begin twelve."""
    rows, letters = lesson.spell(corpus.words("walkthrough"), "characters")
    steps = list(lesson.train(rows, letters, 12))
    vocabulary = lesson.grow([step.pair for step in steps], letters)
    used = {id for ids, _ in steps[-1].corpus for id in ids}
    ten = lesson.learn(lesson.train(rows, letters, 10)).merges
    return {
        "no longer used": [readable(vocabulary[step.new_id]) for step in steps if step.new_id not in used],
        "ten begin twelve": ten == [step.pair for step in steps[:10]],
    }


def claim_002_30() -> dict[str, Any]:
    """The first five merges under three tie rules, and how many vocabularies ties allow in the end."""
    found: dict[str, Any] = {ties: tokens("plain", 5, ties=ties) for ties in TIES}
    return found | {"vocabularies": len(endings(*Rules("plain").start(corpus.words(SMALL))))}


def claim_003_15() -> dict[str, int]:
    """The count of every pair in round 1, without a marker."""
    return counts("plain")


def claim_003_16() -> dict[str, Any]:
    """The pairs that lead round 1, and the one that was seen first."""
    return leaders("plain")


def claim_003_17() -> dict[str, Any]:
    """The second merge, its count, the pairs that tie with it, and the count of w e before and after es."""
    steps, names = run("plain", 2)
    tied = spelled(steps[1].tied, names)
    return {"merge": counted("plain", 2)[1], "tied": tied, "we": before_and_after("plain", "we")}


def claim_003_18() -> list[str]:
    """The corpus after the third merge."""
    return rows_after("plain", 3)


def claim_003_19() -> list[str]:
    """The merges from the fourth on, with their counts."""
    return counted("plain", 20)[3:]


def claim_003_24() -> list[str]:
    """The first five merges of words that carry their space, as pairs."""
    steps, names = run("space", 5)
    return [" + ".join(names[id] for id in step.pair) for step in steps]


def claim_003_27() -> dict[str, Any]:
    """For two sizes asked for: the entries, the merges, and why it stopped; the merges of an empty corpus."""
    rows, start = Rules("space").start(corpus.words(SMALL))
    found: dict[str, Any] = {}
    for size in (20, 1000):
        learned = lesson.learn(lesson.train(rows, start, size - len(start)))
        entries = len(lesson.grow(learned.merges, start))
        found[f"asked for {size}"] = [entries, len(learned.merges), learned.stopped]
    return found | {"empty": len(lesson.learn(lesson.train([], {}, 1000)).merges)}
