"""Text -> pieces, by named patterns. Merges never cross the edge of a piece, and no character is lost."""

import re
from functools import cache
from typing import Any

import regex

SECONDS = 10  # a match may take this long, and as much again for every 500,000 characters
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
HANZI = (  # the ranges of BERT, for use inside a class
    r"\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    r"\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
PUNCTUATION = r"!-/:-@\[-`{-~\p{P}"  # the same
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"

# Each name with its expressions (several are applied in turn, each to the pieces of the one before)
# and where they are published.
PATTERNS: dict[str, tuple[str, ...]] = {
    # nothing is cut: the whole text is one piece
    "none": (r"[\s\S]+",),
    # runs of non-space and runs of space
    "whitespace": (r"\S+|\s+",),
    # the short pattern of many tutorials: a space goes with the word after it
    "simple": (r"'(?:[sdmt]|ll|ve|re)| ?\w+| ?[^\w\s]+|\s+(?!\S)|\s+",),
    # BERT's BasicTokenizer: every Hanzi and every punctuation mark by itself; here the spaces are kept
    "bert": (rf"[{HANZI}]|[{PUNCTUATION}]|[^\s{PUNCTUATION}{HANZI}]+|\s+",),
    # GPT-2, encoder.py (2019)
    "gpt2": (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",),
    # cl100k_base (GPT-4), tiktoken's openai_public.py in its first published form
    "gpt4": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_BLANKS}",
    ),
    # o200k_base (GPT-4o), tiktoken's openai_public.py
    "o200k": (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTION}?"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_CONTRACTION}?"
        rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_BLANKS}",
    ),
    # Llama-3's tokenizer.json: the expression of gpt4 again
    "llama3": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_BLANKS}",
    ),
    # Qwen up to 3: gpt4 with digits one by one
    "qwen": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_BLANKS}",
    ),
    # Qwen3.5: combining marks stay with their letters
    "qwen3.5": (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_BLANKS}",
    ),
    # DeepSeek-V3's tokenizer.json: digits, then Hanzi and kana, then the rest
    "deepseek": (
        r"\p{N}{1,3}",
        r"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
        rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_BLANKS}",
    ),
}


def find_pattern(pattern: str | tuple[str, ...]) -> tuple[str, ...]:
    """The expressions behind a name, or the given expression, or expressions, themselves.

    Raises ValueError for an unknown name (letters, digits, dots and dashes alone are a name) and for a
    bad expression.
    """
    if isinstance(pattern, str):
        if pattern in PATTERNS:
            return PATTERNS[pattern]
        if re.fullmatch(r"(?=.*\w)[\w .-]+|", pattern):
            raise ValueError(f"unknown pattern {pattern!r}; known: {', '.join(PATTERNS)}")
        pattern = (pattern,)
    if not isinstance(pattern, tuple) or not all(isinstance(expression, str) for expression in pattern):
        raise ValueError(f"the pattern {pattern!r} is neither a name nor a regular expression")
    for expression in pattern:
        compiled(expression)
    return pattern


def name_of(pattern: tuple[str, ...]) -> str:
    """The name of some expressions, or the expressions themselves when they have none."""
    return next((name for name, known in PATTERNS.items() if known == pattern), " then ".join(pattern))


@cache
def compiled(expression: str) -> Any:
    """The compiled expression. Raises ValueError that says where a bad one goes wrong."""
    if re.search(r"\{\d*,?\d{5,}", expression):
        raise ValueError(f"the pattern {expression!r} repeats something more than 9,999 times")
    try:
        return regex.compile(expression)
    except (regex.error, RecursionError) as error:
        raise ValueError(f"the pattern {expression!r} is not a regular expression: {error}") from None


def split(text: str, pattern: str | tuple[str, ...] = "gpt4") -> list[str]:
    """The pieces of a text, in order; joined, they are the text. What a pattern passes over is a piece too.

    >>> split("I say hello", "simple")
    ['I', ' say', ' hello']
    """
    pieces = [text] if text else []
    for expression in find_pattern(pattern):
        pieces = [part for piece in pieces for part in cut(piece, compiled(expression))]
    return pieces


def cut(piece: str, expression: Any) -> list[str]:
    """The matches of one compiled expression in a piece and the stretches between them, nothing left out."""
    parts, end = [], 0
    for start, stop in matches(piece, expression):
        parts += [piece[end:start], piece[start:stop]]
        end = stop
    return [part for part in [*parts, piece[end:]] if part]


def matches(piece: str, expression: Any) -> list[tuple[int, int]]:
    """Where a compiled expression matches: (start, end) in characters.

    Raises ValueError when that takes far longer than any sensible expression needs.
    """
    seconds = SECONDS + len(piece) * SECONDS / 500_000
    try:
        return [match.span() for match in expression.finditer(piece, timeout=seconds)]
    except (TimeoutError, MemoryError, RecursionError):
        raise ValueError(
            f"the pattern {expression.pattern!r} needs more than {seconds:.0f} s, or too much memory, "
            f"for {len(piece)} characters"
        ) from None


def count(text: str, pattern: str | tuple[str, ...] = "gpt4") -> dict[str, int]:
    """How often each distinct piece occurs, in the order first seen."""
    counts: dict[str, int] = {}
    for piece in split(text, pattern):
        counts[piece] = counts.get(piece, 0) + 1
    return counts
