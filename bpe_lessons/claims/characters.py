"""Statements on Unicode and UTF-8: how many bytes a character has, and what no vocabulary can lack."""

from collections import Counter
from typing import Any

from bpe_lessons import lesson, split, text
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.claims.entries import wrong
from bpe_lessons.claims.mapping import error
from bpe_lessons.claims.models import encode
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.tokenizer import Tokenizer

SENTENCE = "我爱这座城市"
HANZI = {  # blocks of Unicode
    "main": (0x4E00, 0x9FFF),
    "extension A": (0x3400, 0x4DBF),
    "extension B": (0x20000, 0x2A6DF),
}


def utf8(written: str) -> bytes:
    """The UTF-8 bytes of a text, by the function of lesson 01."""
    return b"".join(lesson.utf8(ord(character)) for character in written)


def shown(code_point: int) -> str:
    """The UTF-8 bytes of a code point in hexadecimal, or the name of the error."""
    failure = error(lesson.utf8, code_point)
    return lesson.utf8(code_point).hex(" ") if failure == "none" else failure


def common_hanzi() -> list[str]:
    """The 3,755 Hanzi of level 1 of GB 2312: its rows 16 to 55."""
    codes = (bytes([0xA0 + row, 0xA0 + cell]) for row in range(16, 56) for cell in range(1, 95))
    return [code.decode("gb2312") for code in codes if error(code.decode, "gb2312") == "none"]


def claim_000_05() -> dict[str, Any]:
    """The code points of A and 你, each with its bytes."""
    return {character: [ord(character), shown(ord(character))] for character in ("A", "你")}


def claim_000_06() -> dict[str, Any]:
    """Chinese read with a wrong encoding, and which of an article's six printed entries are damaged."""
    return {"你好 read as Latin-1": utf8("你好").decode("latin-1"), "damaged entries": wrong()}


def claim_000_07() -> dict[str, Any]:
    """The bytes of A, 你 and 你好, and how many 你好 has."""
    return {written: utf8(written).hex(" ") for written in ("A", "你", "你好")} | {"bytes": len(utf8("你好"))}


def claim_000_08() -> dict[str, Any]:
    """The bytes at the edges of the four ranges of code points."""
    edges = (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)
    return {f"U+{edge:04X}": shown(edge) for edge in edges}


def claim_000_09() -> dict[str, Any]:
    """The bytes of an English and a Chinese word in three encodings."""
    return {
        word: {
            "UTF-8": len(utf8(word)),
            "UTF-16": len(word.encode("utf-16-le")),
            "UTF-32": len(word.encode("utf-32-le")),
        }
        for word in ("hello", "你好")
    }


def claim_000_10() -> dict[str, Any]:
    """The symbols of 你好, and how many of the 256 bytes occur in UTF-8 at all, and which do not."""
    # every 63rd code point meets each first byte (64 code points or more share one) and each later byte
    sample = [*range(0x80), *range(0x80, 0x110000, 63)]
    used = {byte for number in sample if not 0xD800 <= number <= 0xDFFF for byte in lesson.utf8(number)}
    unused = [f"{byte:02X}" for byte in lesson.byte_order("bytes") if byte not in used]
    return {"symbols": len(lesson.symbols("你好")), "bytes in use": len(used), "never": unused}


def claim_000_50() -> dict[str, Any]:
    """The bytes of a Hanzi of the main block, and of one of extension B."""
    return {hanzi: shown(ord(hanzi)) for hanzi in ("你", "\U00020bb7")}


def claim_002_09() -> dict[str, Any]:
    """The last character, the number behind it, and a surrogate as a number and in a text."""
    return {
        "U+10FFFF": shown(0x10FFFF),
        "U+110000": shown(0x110000),
        "U+D800": shown(0xD800),
        "U+D800 in a text": error(text.to_bytes, "\ud800"),
    }


def claim_003_05() -> dict[str, Any]:
    """How many bytes the Hanzi of three blocks have, and how many characters one Hanzi is."""
    sizes = {
        block: sorted({len(lesson.utf8(number)) for number in range(first, last + 1)})
        for block, (first, last) in HANZI.items()
    }
    return {"bytes": sizes, "characters": len(lesson.symbols("你", "characters"))}


def claim_003_32() -> dict[str, Any]:
    """A Chinese sentence as characters, and how many pieces GPT-2's pattern makes of it."""
    characters = [spelling.decode("utf-8") for _, spelling in lesson.symbols(SENTENCE, "characters")]
    return {"characters": " ".join(characters), "pieces": len(split.split(SENTENCE, "gpt2"))}


def claim_003_33() -> dict[str, Any]:
    """What a tokenizer on characters makes of an emoji, with an unknown token, without one, and on bytes."""
    vocab = {"<unk>": 0, "l": 1, "o": 2, "w": 3, "lo": 4}
    model = {"type": "BPE", "vocab": vocab, "merges": ["l o"]}
    known = Pipeline.from_json({"model": model | {"unk_token": "<unk>"}})
    return {
        "unknown token": "|".join(known.encoding("low😀").tokens),
        "none": "|".join(Pipeline.from_json({"model": model}).encoding("low😀").tokens),
        "bytes": Tokenizer(()).decode(Tokenizer(()).encode("low😀")),
    }


def claim_003_34() -> dict[str, Any]:
    """All 256 bytes in a row as GPT-2's tokens, and what happens when they are taken for a text."""
    tokenizer = ranked("gpt2")
    garbage = bytes(range(256))
    parts = lesson.merge_by_rank(garbage, tokenizer.token_ids)
    escaped = garbage.decode("utf-8", "surrogateescape")
    return {
        "tokens": len(parts),
        "the same bytes again": b"".join(parts) == garbage,
        "as a text": error(garbage.decode, "utf-8"),
        "with escapes": error(tokenizer.encode, escaped),
    }


def claim_003_36() -> dict[str, Any]:
    """How many common Hanzi take one token, two, three; and GPT-2's tokens that are Hanzi only."""
    found = {}
    for name in ("gpt2", "cl100k_base", "o200k_base", "qwen2.5"):
        sizes = Counter(len(encode(name, hanzi)) for hanzi in common_hanzi())
        found[name] = {str(size): sizes[size] for size in (1, 2, 3)}
    texts = [token.decode("utf-8", "replace") for token in ranked("gpt2").token_ids]
    whole = [t for t in texts if all(any(a <= ord(c) <= b for a, b in HANZI.values()) for c in t)]
    single = sum(len(t) == 1 for t in whole)
    return found | {"Hanzi in GPT-2": {"single": single, "several": len(whole) - single}}


def claim_004_11() -> dict[str, Any]:
    """How many byte values the start alphabet holds, and whether all of them come back from their ids."""
    alphabet = {id: bytes([byte]) for id, byte in enumerate(lesson.byte_order("bytes"))}
    garbage = bytes(range(256))
    ids = {token: id for id, token in alphabet.items()}
    back = lesson.decode_bytes([ids[bytes([byte])] for byte in garbage], alphabet)
    return {"bytes": len(alphabet), "come back": back == garbage}
