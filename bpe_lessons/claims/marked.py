"""Statements on low, lower, newest, widest with a marker at the end of each word."""

from typing import Any

from bpe_lessons import corpus, split
from bpe_lessons.claims.toys import (
    SMALL,
    before_and_after,
    counted,
    counts,
    leaders,
    rows_after,
    run,
    spelled,
    tokens,
)
from bpe_lessons.walkthrough import Rules

LINE = "low low low low low lower lower newest newest newest newest newest newest widest widest widest"


def made_by(wanted: tuple[str, ...]) -> dict[str, int]:
    """The numbers of the merges that make some tokens, 0 where none does."""
    made = tokens("own", 15)
    return {token: made.index(token) + 1 if token in made else 0 for token in wanted}


def claim_004_01() -> dict[str, int]:
    """The words of the article's line, counted."""
    return {piece: n for piece, n in split.count(LINE, "whitespace").items() if piece.strip()}


def claim_004_02() -> str:
    """The start alphabet with a marker, sorted."""
    _, start = Rules("own").start(corpus.words(SMALL))
    return " ".join(symbol.decode() for symbol in start.values())


def claim_004_03() -> dict[str, int]:
    """The count of every pair in round 1, with a marker."""
    return counts("own")


def claim_004_04() -> dict[str, Any]:
    """The pairs that lead round 1 with a marker, and the one that was seen first."""
    return leaders("own")


def claim_004_05() -> dict[str, Any]:
    """The first five merges with a marker, and the pairs that tie in round 2."""
    steps, names = run("own", 2)
    return {"merges": counted("own", 5), "tied in round 2": spelled(steps[1].tied, names)}


def claim_004_06() -> dict[str, Any]:
    """Merges 6 to 10 with a marker, and the pairs that tie in round 6."""
    steps, names = run("own", 10)
    return {"merges 6 to 10": counted("own", 10)[5:], "tied in round 6": spelled(steps[5].tied, names)}


def claim_004_07() -> dict[str, int]:
    """The numbers of the merges that make `low` and the whole word `low_`."""
    return made_by(("low", "low_"))


def claim_004_08() -> dict[str, Any]:
    """The numbers of the merges that make `est` and `est_`, and the corpus after the third merge."""
    return {**made_by(("est", "est_")), "corpus": rows_after("own", 3)}


def claim_004_10() -> dict[str, Any]:
    """The counts of ten merges; the counts of two pairs in rounds 1 and 2, and which merges they are."""
    steps, _ = run("own", 10)
    pairs = ("we", "lo")
    return {
        "counts": [step.count for step in steps],
        "round 1 and 2": {pair: before_and_after("own", pair) for pair in pairs},
        "merge": made_by(pairs),
    }


def claim_004_16() -> dict[str, Any]:
    """The ten merges, the corpus after them, the size of the vocabulary, and what more merges would make."""
    _, names = run("own", 10)
    rows = rows_after("own", 10)
    return {
        "merges": counted("own", 10),
        "corpus": rows,
        "entries": len(names),
        "more": tokens("own", 20)[10:],
    }


def claim_004_19() -> dict[str, list[str]]:
    """The first seven merges with the marker as a symbol of its own and glued to the last letter."""
    return {form: tokens(form, 7) for form in ("own", "glued")}
