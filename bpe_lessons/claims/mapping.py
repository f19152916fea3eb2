"""Statements on the Ġ map: what it is for, which bytes move, and where to."""

import base64
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from bpe_lessons import files, glyphs, stages, vocabularies
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.claims.models import token_id
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.text import parse_json


def error(function: Any, *arguments: Any) -> str:
    """The name of the error that a call raises, or `none`."""
    try:
        function(*arguments)
    except Exception as raised:
        return type(raised).__name__
    return "none"


def ranges(numbers: list[int]) -> list[str]:
    """Rising numbers as ranges in hexadecimal: `21-7E`, or `AD` for one alone."""
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return [f"{a:02X}-{b:02X}" if b > a else f"{a:02X}" for a, b in zip(starts, ends)]


def kept() -> list[int]:
    """The bytes whose glyph is the character of the same number."""
    return [byte for byte, glyph in sorted(glyphs.GLYPHS.items()) if ord(glyph) == byte]


def moved() -> dict[int, int]:
    """The other bytes -> the code point of their glyph."""
    return {byte: ord(glyph) for byte, glyph in sorted(glyphs.GLYPHS.items()) if ord(glyph) != byte}


def unfit(character: str) -> bool:
    """Whether a character is white space, or a control or another character that cannot be seen."""
    return character.isspace() or not character.isprintable()


def published() -> Pipeline:
    """DeepSeek's published tokenizer.json."""
    return cast(Pipeline, vocabularies.load("deepseek"))


def claim_000_36() -> dict[str, Any]:
    """What four glyph strings stand for."""
    return {string: glyphs.from_glyphs(string).decode("utf-8") for string in ("Ġ", "Ġt", "Ġthe", "Ċ")}


def claim_000_37() -> dict[str, Any]:
    """What JSON does with bytes and a number; single bytes and their glyphs: how many are text, and unfit."""
    single = [bytes([byte]) for byte in range(256)]
    as_text = [byte.decode("utf-8") for byte in single if error(byte.decode, "utf-8") == "none"]
    as_glyphs = [glyphs.to_glyphs(byte) for byte in single]
    return {
        "in JSON": {"bytes": error(json.dumps, b"\xa0"), "a number": error(json.dumps, 262)},
        "single bytes": {"text": len(as_text), "text, but unfit": sum(map(unfit, as_text))},
        "their glyphs": {"text": len(set(as_glyphs)), "text, but unfit": sum(map(unfit, as_glyphs))},
    }


def claim_000_38() -> dict[str, Any]:
    """The id of the word `the` with its space in each vocabulary."""
    return {name: token_id(name, " the") for name in vocabularies.NAMES}


def claim_000_39() -> dict[str, Any]:
    """The id of the word `hello` with its space in each vocabulary, and GPT-2's token 24288."""
    ids = {name: token_id(name, " hello") for name in vocabularies.NAMES}
    return {"ids": ids, "24288 in GPT-2": ranked("gpt2").vocabulary[24288].decode("utf-8")}


def claim_000_40() -> dict[str, Any]:
    """The id of the lone space, and the keys with a raw space in two published tables."""
    tables = {"gpt2": parse_json(vocabularies.find("gpt2 table")), "deepseek": published().model.ids}
    return {
        "key": glyphs.to_glyphs(b" "),
        "ids": {name: token_id(name, " ") for name in vocabularies.NAMES},
        "keys with a space": {name: sum(" " in key for key in table) for name, table in tables.items()},
    }


def claim_000_41() -> dict[str, Any]:
    """The bytes that keep their character, and how many they are."""
    return {"ranges": ranges(kept()), "bytes": len(kept())}


def claim_000_42() -> dict[str, Any]:
    """The bytes that get another character, and how many they are."""
    return {"ranges": ranges(list(moved())), "bytes": len(moved())}


def claim_000_43() -> dict[str, Any]:
    """How many bytes move by how much."""
    return {str(step): n for step, n in Counter(to - byte for byte, to in moved().items()).items()}


def claim_000_44() -> dict[str, Any]:
    """The lowest and the highest code point that a byte moves to, and how many there are."""
    targets = sorted(moved().values())
    return {"from": f"U+{targets[0]:04X}", "to": f"U+{targets[-1]:04X}", "code points": len(set(targets))}


def claim_000_45() -> dict[str, Any]:
    """The code point of the glyph of the space, and the byte whose glyph is U+0100."""
    (zero,) = glyphs.from_glyphs("\u0100")
    return {"space": f"U+{ord(glyphs.to_glyphs(b' ')):04X}", "U+0100 is byte": f"{zero:02X}"}


def claim_000_46() -> dict[str, Any]:
    """How many glyphs there are, how many can be seen, and how many keys of a table use no others."""
    known = published()
    keys = known.model.ids.keys() - known.special_ids.keys()
    return {
        "bytes": len(glyphs.GLYPHS),
        "glyphs": len(glyphs.BYTES),
        "visible": sum(not unfit(glyph) for glyph in glyphs.BYTES),
        "keys of DeepSeek": len(keys),
        "of these in glyphs": sum(all(character in glyphs.BYTES for character in key) for key in keys),
    }


def claim_000_47() -> dict[str, Any]:
    """What the merges of a published tokenizer.json and of GPT-2's file are applied to."""
    known = published()
    byte_level = stages.pre_tokenizer({"type": "ByteLevel", "add_prefix_space": False, "use_regex": True})
    return {
        "DeepSeek": dict(known.trace("I say hello"))["pre_tokenizer"],
        "ByteLevel": [piece.text for piece in byte_level(stages.Piece.of("I say 你"))],
        "first merges of GPT-2": [list(pair) for pair in files.glyph_pairs(ranked("gpt2"))[:3]],
    }


def claim_000_48() -> list[str]:
    """The glyphs of 你."""
    return [f"U+{ord(glyph):04X} {glyph}" for glyph in glyphs.to_glyphs("你".encode())]


def claim_000_49() -> dict[str, Any]:
    """How 你 is written in a table, and its id where the character is one token."""
    ids = {name: token_id(name, "你") for name in vocabularies.NAMES}
    return {"written": glyphs.to_glyphs("你".encode()), "ids": ids}


def claim_000_57() -> dict[str, Any]:
    """A token in glyphs and in Base64, and the characters that each needs for a byte of GPT-2's tokens."""
    tokens = list(ranked("gpt2").token_ids)
    ways: dict[str, Callable[[bytes], str]] = {
        "glyphs": glyphs.to_glyphs,
        "Base64": lambda token: base64.b64encode(token).decode(),
    }
    size = sum(map(len, tokens))
    return {
        name: {"the": way(b" the"), "per byte": round(sum(len(way(token)) for token in tokens) / size, 2)}
        for name, way in ways.items()
    }
