"""Text -> pieces, by named patterns. Merges never cross the edge of a piece, and no character is lost."""

from functools import cache
from typing import Any

import regex

# The published patterns, each with where it is published.
PATTERNS = {
    # nothing is cut: the whole text is one piece
    "none": r"(?s:.+)",
    # runs of non-space and runs of space
    "whitespace": r"\S+|\s+",
    # the short pattern of many tutorials: a space goes with the word after it
    "simple": r"'(?:[sdmt]|ll|ve|re)| ?\w+| ?[^\w\s]+|\s+(?!\S)|\s+",
    # GPT-2, encoder.py (2019)
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    # cl100k_base, tiktoken's openai_public.py, in its first published form
    "gpt4": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


def find_pattern(pattern: str) -> str:
    """The regular expression behind a name, or the pattern itself when it already is an expression.

    Raises ValueError for an unknown name (letters and digits alone are a name) and for a bad expression.
    """
    if pattern in PATTERNS:
        return PATTERNS[pattern]
    if pattern.isalnum():
        raise ValueError(f"unknown pattern {pattern!r}; known: {', '.join(PATTERNS)}")
    compiled(pattern)
    return pattern


def name_of(pattern: str) -> str:
    """The name of a regular expression, or the expression itself when it has none."""
    return next((name for name, known in PATTERNS.items() if known == pattern), pattern)


@cache
def compiled(pattern: str) -> Any:
    """The compiled expression. Raises ValueError that says where a bad one goes wrong."""
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"the pattern {pattern!r} is not a regular expression: {error}") from None


def split(text: str, pattern: str = "gpt4") -> list[str]:
    """The pieces of a text, in order; joined, they are the text. What the pattern passes over is a piece too.

    >>> split("I say hello", "simple")
    ['I', ' say', ' hello']
    """
    pieces, end = [], 0
    for match in compiled(find_pattern(pattern)).finditer(text):
        pieces += [text[end : match.start()], match.group()]
        end = match.end()
    return [piece for piece in [*pieces, text[end:]] if piece]


def count(text: str, pattern: str = "gpt4") -> dict[str, int]:
    """How often each distinct piece occurs, in the order first seen."""
    counts: dict[str, int] = {}
    for piece in split(text, pattern):
        counts[piece] = counts.get(piece, 0) + 1
    return counts
