"""The exercises of lesson 01."""

import random
from collections import Counter
from collections.abc import Sequence

from bpe_lessons.exercises import Exercise, Mistake

EDGES = (0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)


def _character(source: random.Random) -> str:
    """A character of 1, 2, 3 or 4 bytes, each length equally often."""
    first, last = source.choice([(0x20, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0x10000, 0x10FFFF)])
    return chr(source.randint(first, last))


def _text(source: random.Random) -> bytes:
    return "".join(_character(source) for _ in range(source.randint(1, 6))).encode()


# 01-2


def _length(code_point: int) -> int:
    return len(chr(code_point).encode())


def _edge_late(code_point: int) -> int:
    return 1 + (code_point > 0x80) + (code_point > 0x800) + (code_point > 0x10000)


def _edge_early(code_point: int) -> int:
    return 1 + (code_point >= 0x7F) + (code_point >= 0x7FF) + (code_point >= 0xFFFF)


def _edge_decimal(code_point: int) -> int:
    return 1 + (code_point >= 80) + (code_point >= 800) + (code_point >= 10000)


def _latin(code_point: int) -> int:
    return 1 if code_point <= 0xFF else _length(code_point)


def _never_four(code_point: int) -> int:
    return min(_length(code_point), 3)


def _three_or_one(code_point: int) -> int:
    return 1 if code_point < 0x80 else 3


def _without_frame(code_point: int) -> int:
    return max(1, (code_point.bit_length() + 7) // 8)


# 01-3


def _first(data: bytes) -> int:
    return ord(data.decode()[0])


def _parts(data: bytes) -> tuple[int, list[int]]:
    """The first byte of the first character, and its continuation bytes."""
    encoded = data.decode()[0].encode()
    return encoded[0], list(encoded[1:])


def _joined(first: int, tail: list[int]) -> int:
    for bits in tail:
        first = first << 6 | bits
    return first


def _frame_kept_in_front(data: bytes) -> int:
    first, tail = _parts(data)
    return _joined(first, [byte & 0x3F for byte in tail])


def _frame_kept_behind(data: bytes) -> int:
    first, tail = _parts(data)
    masked = first if not tail else first & 0x7F >> len(tail) + 1
    return _joined(masked, tail)


def _frame_kept(data: bytes) -> int:
    first, tail = _parts(data)
    return _joined(first, tail)


def _backwards(data: bytes) -> int:
    first, tail = _parts(data)
    masked = [first & 0x7F >> len(tail) + 1 if tail else first, *(byte & 0x3F for byte in tail)]
    return _joined(masked[-1], masked[-2::-1])


def _by_eight(data: bytes) -> int:
    first, tail = _parts(data)
    masked = [first & 0x7F >> len(tail) + 1 if tail else first, *(byte & 0x3F for byte in tail)]
    return int.from_bytes(bytes(masked), "big")


def _last(data: bytes) -> int:
    return ord(data.decode()[-1])


def _rest_as_tail(data: bytes) -> int:
    first = data[0]
    if first < 0x80:
        return first
    mask = 0x1F if first < 0xE0 else 0x0F if first < 0xF0 else 0x07
    return _joined(first & mask, [byte & 0x3F for byte in data[1:]])


# 01-4


def _characters(data: bytes) -> int:
    return len(data.decode())


def _tails(data: bytes) -> int:
    return sum(0x80 <= byte < 0xC0 for byte in data)


def _heads(data: bytes) -> int:
    return sum(byte >= 0xC0 for byte in data)


def _ascii(data: bytes) -> int:
    return sum(byte < 0x80 for byte in data)


# 01-5


def _needed(counts: Sequence[int], share: float, late: bool = False) -> int:
    """How many of the counts, in their order, reach the share of their sum; `late` wants more than that."""
    held = [sum(counts[:n]) for n in range(len(counts) + 1)]
    goal = share * held[-1]
    enough = [n for n, words in enumerate(held) if (words > goal if late else words >= goal)]
    return enough[0] if enough else len(counts)


def _entries(words: list[str], share: float) -> int:
    return _needed(sorted(Counter(words).values(), reverse=True), share)


def _distinct(words: list[str], share: float) -> int:
    return _needed([1] * len(set(words)), share)


def _unsorted(words: list[str], share: float) -> int:
    return _needed(list(Counter(words).values()), share)


def _rarest(words: list[str], share: float) -> int:
    return _needed(sorted(Counter(words).values()), share)


def _more_than(words: list[str], share: float) -> int:
    return _needed(sorted(Counter(words).values(), reverse=True), share, late=True)


def _running(words: list[str], share: float) -> int:
    return _needed([1] * len(words), share)


def _index(words: list[str], share: float) -> int:
    return _entries(words, share) - 1


def _words(source: random.Random) -> tuple[list[str], float]:
    words = [source.choice("aaaaabbbccdefgh") for _ in range(source.choice([8, 16, 32]))]
    return words, source.choice([0.25, 0.5, 0.75, 1])


HAMLET = ["to", "be", "or", "not", "to", "be", "that", "is"]

EXERCISES: list[Exercise] = [
    Exercise(
        id="01-1",
        right=21,
        hints=(
            "Do not count characters. Give each character its row in the table of UTF-8, then add up.",
            "One byte for d, j and each of the two spaces; é and à are between 80 and 7FF; "
            "the three Hanzi are between 800 and FFFF; 🚀 is above FFFF.",
        ),
        mistakes=[
            Mistake("counting characters", 10, "only characters up to 7F take a single byte."),
            Mistake("counting in UTF-16", 22, "UTF-16 spends two bytes on d and 你 alike; UTF-8 does not."),
            Mistake("counting in UTF-32", 40, "UTF-32 spends four bytes on every character."),
            Mistake("two bytes a Hanzi", 18, "that is true of UTF-16 and GBK; in UTF-8 你 takes three."),
            Mistake("one byte a letter", 19, "é and à are above 7F and take two bytes each."),
            Mistake("three bytes for the rocket", 20, "🚀 is U+1F680, above FFFF, and takes four bytes."),
        ],
    ),
    Exercise(
        id="01-2",
        right=_length,
        cases=[(n,) for n in (*EDGES, 0x4F60)],
        fresh=lambda source: (ord(_character(source)),),
        hints=(
            "The table of UTF-8 has four rows. Where does each one end?",
            "Compare with < 0x80, then < 0x800, then < 0x10000, in this order.",
        ),
        mistakes=[
            Mistake(
                "an edge taken one too late",
                _edge_late,
                "80, 800 and 10000 are the first of their row, not the last of the row before.",
            ),
            Mistake(
                "an edge taken one too early",
                _edge_early,
                "7F, 7FF and FFFF are the last of their row and belong to it.",
            ),
            Mistake("edges in base 10", _edge_decimal, "80, 800 and 10000 are base 16: write 0x80."),
            Mistake(
                "one byte for all of Latin-1",
                _latin,
                "one byte reaches only to 7F; Latin-1 is another encoding.",
            ),
            Mistake(
                "three for everything but ASCII", _three_or_one, "80 to 7FF take two bytes, 10000 up four."
            ),
            Mistake("forgetting the fourth row", _never_four, "code points from 10000 up take four bytes."),
            Mistake(
                "counting the bytes of the number",
                _without_frame,
                "the frame takes bits too: a continuation byte holds six bits of the code point, not eight.",
            ),
        ],
    ),
    Exercise(
        id="01-3",
        right=_first,
        cases=[(b"AB",), ("é".encode(),), ("你好".encode(),), ("🚀!".encode(),)],
        fresh=lambda source: (_text(source),),
        hints=(
            "The first byte tells how many bytes belong to the character and holds its highest bits.",
            "Below 0x80 the byte is the answer. Else mask the first byte (& 0x1F, 0x0F or 0x07), then for "
            "each continuation byte: number = number << 6 | byte & 0x3F.",
        ),
        mistakes=[
            Mistake(
                "the frame left on the first byte",
                _frame_kept_in_front,
                "the leading 110, 1110 or 11110 is no part of the number: mask it off.",
            ),
            Mistake(
                "the frame left on the continuation bytes",
                _frame_kept_behind,
                "the leading 10 is no part of the number: keep the lowest six bits, & 0x3F.",
            ),
            Mistake(
                "the frame left on every byte",
                _frame_kept,
                "110, 1110, 11110 and 10 say where a byte belongs, not what it holds: mask them off.",
            ),
            Mistake(
                "the bytes put together backwards",
                _backwards,
                "the first byte holds the highest bits, the last byte the lowest.",
            ),
            Mistake(
                "moving by eight bits", _by_eight, "a continuation byte brings six bits, so move by six."
            ),
            Mistake(
                "reading on past the first character",
                _last,
                "the first byte says where its character ends.",
            ),
            Mistake(
                "reading on past the first character",
                _rest_as_tail,
                "the first byte says where its character ends.",
            ),
            Mistake("giving back the first byte", lambda data: data[0], "beyond ASCII it is only a part."),
        ],
    ),
    Exercise(
        id="01-4",
        right=_characters,
        cases=[(text.encode(),) for text in ("", "hello", "café", "你好", "a你é🚀")],
        fresh=lambda source: (_text(source),),
        hints=(
            "Each character has exactly one first byte. Which bytes are not first?",
            "Count the bytes that do not begin with the bits 10: byte & 0xC0 != 0x80.",
        ),
        mistakes=[
            Mistake("counting bytes", len, "a character has one to four bytes; count only its first."),
            Mistake(
                "counting ASCII only",
                _ascii,
                "é, 你 and 🚀 are characters too; their first byte is c2 to f4.",
            ),
            Mistake(
                "counting continuation bytes", _tails, "a continuation byte begins with 10: leave these out."
            ),
            Mistake("leaving ASCII out", _heads, "a byte below 80 is a whole character: count it as well."),
        ],
    ),
    Exercise(
        id="01-5",
        right=_entries,
        cases=[(HAMLET, share) for share in (0.25, 0.5, 0.75, 1)],
        fresh=_words,
        hints=(
            "Which word would you put into the table first? Count the words.",
            "Take Counter(words).most_common() and add up the counts until they reach share * len(words).",
        ),
        mistakes=[
            Mistake(
                "counting distinct words",
                _distinct,
                "the share is one of running words: a word that occurs twice counts twice.",
            ),
            Mistake(
                "counting running words",
                _running,
                "a table holds each word once, however often it occurs.",
            ),
            Mistake(
                "the order of the text", _unsorted, "the smallest table takes the most frequent words first."
            ),
            Mistake("the rarest first", _rarest, "the smallest table takes the most frequent words first."),
            Mistake(
                "an index given back",
                _index,
                "positions start at 0; the number of entries is one more.",
            ),
            Mistake("one entry too many", _more_than, "at least the share is enough: use >=, not >."),
        ],
    ),
]
