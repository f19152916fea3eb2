"""Statements on what a model sees of words, numbers and letters."""

from typing import Any

from bpe_lessons import arithmetic, glyphs, vocabularies
from bpe_lessons.claims.cuts import cut, cuts
from bpe_lessons.tokenizer import Tokenizer


def encode(name: str, text: str) -> list[int]:
    """The ids of a text under a real vocabulary."""
    return vocabularies.load(name).encode(text, "text")


def token_id(name: str, text: str) -> int | None:
    """The id of the ordinary token that spells exactly this text, or None."""
    tokenizer = vocabularies.load(name)
    if isinstance(tokenizer, Tokenizer):
        return tokenizer.token_ids.get(text.encode())
    return tokenizer.ids.get(glyphs.to_glyphs(text.encode()))


def in_each(text: str) -> dict[str, int]:
    """The number of tokens of a text under each real vocabulary."""
    return {name: len(encode(name, text)) for name in vocabularies.NAMES}


def claim_002_16() -> dict[str, Any]:
    """Strawberry, alone, after a space and with a capital, in GPT-4o's tokens and in GPT-4's."""
    words = ("strawberry", " strawberry", "Strawberry")
    return {name: {word: cut(name, word) for word in words} for name in ("o200k_base", "cl100k_base")}


def claim_003_58() -> dict[str, Any]:
    """The tokens of 12345 in each vocabulary."""
    return cuts("12345")


def claim_003_59() -> dict[str, Any]:
    """Numbers in GPT-4's and GPT-2's tokens, and the groups of three counted from the right."""
    numbers = ("12345", "1234567")
    return {
        "GPT-4": {number: cut("cl100k_base", number) for number in numbers},
        "by three from the left": {number: arithmetic.group_digits(number, 3) for number in numbers},
        "by three from the right": {number: arithmetic.group_digits(number, 3, True) for number in numbers},
        "GPT-2": {number: cut("gpt2", number) for number in ("1234", "1949", "2019", "10000")},
    }


def claim_003_61() -> dict[str, Any]:
    """Whether strawberry after a space is one token, and the letters r in each part of it at the start."""
    parts = cut("o200k_base", "strawberry").split("|")
    whole = {name: token_id(name, " strawberry") is not None for name in vocabularies.NAMES}
    return {
        "one token after a space": whole,
        "at the start": "|".join(parts),
        "r in each": [part.count("r") for part in parts],
    }
