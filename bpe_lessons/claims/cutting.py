"""Statements on what comes before the merges: normalization, and the cut into pieces."""

import string
from typing import Any

from bpe_lessons import corpus, split, stages
from bpe_lessons.claims.characters import SENTENCE
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.claims.models import in_each, token_id
from bpe_lessons.show import readable
from bpe_lessons.tokenizer import Tokenizer

CAFE = "Cafe\u0301"  # the accent is a character of its own
NORMALIZERS: dict[str, Any] = {
    "NFC": {"type": "NFC"},
    "BERT": {"type": "BertNormalizer", "lowercase": True},
    "NFD, StripAccents": {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]},
}


def pieces(text: str, pattern: str) -> str:
    """The pieces of a text, readable, a bar between them."""
    return "|".join(readable(piece.encode()) for piece in split.split(text, pattern))


def learned(text: str, pattern: str, merges: int) -> list[str]:
    """The tokens that a training on a text adds, in order, readable."""
    tokenizer = Tokenizer.train(text, merges=merges, pattern=pattern, ties="first")
    return [readable(tokenizer.vocabulary[id]) for id in range(256, len(tokenizer))]


def claim_000_31() -> dict[str, str]:
    """Café with a separate accent and a capital, under three normalizers and under Qwen3.5's own."""
    found = {name: stages.normalizer(data)(stages.Piece.of(CAFE)).text for name, data in NORMALIZERS.items()}
    return {**found, "Qwen3.5": ranked("qwen3.5").normalize(CAFE)}


def claim_000_32() -> dict[str, Any]:
    """The pieces of a Chinese sentence under two patterns, and the id of a word of three Hanzi."""
    cut = {pattern: pieces(SENTENCE, pattern) for pattern in ("qwen3.5", "bert")}
    return {**cut, "分辨率": token_id("qwen3.5", "分辨率")}


def claim_000_34() -> dict[str, Any]:
    """The pieces of a sentence under five patterns, and its number of tokens in each vocabulary."""
    patterns = ("gpt2", "gpt4", "o200k", "qwen", "qwen3.5")
    return {
        "pieces": {pattern: pieces("I say hello", pattern) for pattern in patterns},
        "tokens": in_each("I say hello"),
    }


def claim_003_22() -> dict[str, Any]:
    """Pieces and types of our English text, the characters of both, and the tokens that cross words."""
    counts = split.count(corpus.text("english"), "simple")
    tokens = learned(corpus.text("english"), "simple", 100)
    return {
        "pieces": sum(counts.values()),
        "types": len(counts),
        "pieces per type": round(sum(counts.values()) / len(counts), 1),
        "characters": sum(len(piece) * n for piece, n in counts.items()),
        "characters of the types": sum(map(len, counts)),
        "tokens across words": sum("␣" in token.strip("␣") for token in tokens),
    }


def claim_003_23() -> dict[str, Any]:
    """What two patterns do with digits, underscore and capitals, and whether they lose a character."""
    text = corpus.text("mixed")
    return {
        pattern: {sample: pieces(sample, pattern) for sample in ("abc123_x", "it's", "IT'S")}
        | {"lossless": "".join(split.split(text, pattern)) == text}
        for pattern in ("simple", "gpt2")
    }


def claim_003_29() -> dict[str, str]:
    """Three spaces inside a text, two tabs, and two spaces at the end."""
    return {readable(sample.encode()): pieces(sample, "simple") for sample in ("a   b", "x\t\ty", "a  ")}


def claim_003_30() -> dict[str, dict[str, int | None]]:
    """The id of the lone space, and how many tokens of ASCII letters are there with a space as well."""
    letters = string.ascii_letters.encode()
    found = {}
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        ids = ranked(name).token_ids
        twice = sum(b" " + token in ids for token in ids if not token.strip(letters))
        found[name] = {"id of the space": ids.get(b" "), "there twice": twice}
    return found


def claim_003_31() -> dict[str, str]:
    """The first tokens learned from `the dog. cat sat.` over and over, uncut and cut before."""
    text = "the dog. cat sat. " * 20
    return {pattern: " ".join(learned(text, pattern, 12)) for pattern in ("none", "simple")}
