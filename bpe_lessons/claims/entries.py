"""Statements on six vocabulary entries that an article prints: what they spell, and which are damaged."""

from typing import Any

from bpe_lessons import glyphs
from bpe_lessons.claims.mapping import error
from bpe_lessons.claims.models import token_id

PRINTED = ("åĴĮé«ĺ", "äºĭåħĪ", "åĪĨæīĭ", "åĪĨ辨çİĩ", "æİĮæ\u0767", "å°ıæ\u0176åĨħ")


def entry(printed: str) -> dict[str, Any]:
    """A printed vocabulary entry as text, and the id that Qwen3.5 has for it."""
    text = glyphs.from_glyphs(printed).decode("utf-8")
    return {"text": text, "id": token_id("qwen3.5", text)}


def damaged(printed: str) -> dict[str, Any]:
    """The characters of a printed entry that are no glyphs, the ways to mend it, and what they spell."""
    return {
        "no glyph": [f"U+{ord(character):04X}" for character in printed if character not in glyphs.BYTES],
        "mended": {mended: entry(mended) for mended in glyphs.repairs(printed)},
    }


def wrong() -> list[int]:
    """The numbers of the printed entries that are no glyph strings."""
    return [number for number, text in enumerate(PRINTED, 1) if error(glyphs.from_glyphs, text) != "none"]


def claim_000_51() -> dict[str, Any]:
    """The first printed entry."""
    return entry(PRINTED[0])


def claim_000_52() -> dict[str, Any]:
    """The second printed entry."""
    return entry(PRINTED[1])


def claim_000_53() -> dict[str, Any]:
    """The third printed entry."""
    return entry(PRINTED[2])


def claim_000_54() -> dict[str, Any]:
    """The fourth printed entry, which is damaged."""
    return damaged(PRINTED[3])


def claim_000_55() -> dict[str, Any]:
    """The fifth printed entry, which is damaged."""
    return damaged(PRINTED[4])


def claim_000_56() -> dict[str, Any]:
    """The sixth printed entry, which is damaged."""
    return damaged(PRINTED[5])
