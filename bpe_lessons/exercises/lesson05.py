"""The exercises of lesson 05."""

import base64
import random
import re
from collections.abc import Callable
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.glyphs import GLYPHS, from_glyphs, to_glyphs

MOVED = [byte for byte in range(256) if GLYPHS[byte] != chr(byte)]
SAMPLES = ("a é", "low\n", "你好", "à\t", "👋", "\u00a0", "𠮷 ", "naïve", "的\r\n", "ñ¡")


# 05-2: the map


def moving(moved: list[int], start: int = 0x100) -> Callable[[bytes], str]:
    """The map that moves these bytes, in this order, to the code points from `start` on."""
    places = {byte: chr(start + n) for n, byte in enumerate(moved)}
    return lambda data: "".join(places.get(byte, chr(byte)) for byte in data)


def shifted_by_256(data: bytes) -> str:
    return "".join(chr(byte + 0x100 if byte in MOVED else byte) for byte in data)


def all_shifted(data: bytes) -> str:
    return "".join(chr(byte + 0x100) for byte in data)


def latin_1(data: bytes) -> str:
    return data.decode("latin-1")


def as_text(data: bytes) -> str:
    return data.decode("utf-8")


def as_text_replaced(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def space_only(data: bytes) -> str:
    return data.decode("latin-1").replace(" ", "Ġ")


def text_with_space(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace(" ", "Ġ")


def fresh_data(source: random.Random) -> tuple[Any, ...]:
    if source.random() < 0.3:
        return ("".join(source.choices(SAMPLES, k=2)).encode(),)
    return (bytes(source.choices([*range(256), *MOVED, *MOVED], k=source.randint(1, 12))),)


# 05-3: the text of an entry


def read_entry(entry: str, errors: str = "replace") -> str:
    return from_glyphs(entry).decode("utf-8", errors)


def glyphs_alone(entry: str) -> str:
    return "".join(map(read_entry, entry))


def only_the_space(entry: str) -> str:
    return entry.replace("Ġ", " ")


def minus_256(entry: str) -> str:
    return bytes(ord(glyph) % 0x100 for glyph in entry).decode("utf-8", "replace")


def from_latin_1(entry: str) -> str:
    return entry.encode("latin-1").decode("utf-8", "replace")


def from_latin_1_replaced(entry: str) -> str:
    return entry.encode("latin-1", "replace").decode("utf-8", "replace")


def characters_of_bytes(entry: str) -> str:
    return from_glyphs(entry).decode("latin-1")


def fresh_entry(source: random.Random) -> tuple[Any, ...]:
    data = "".join(source.choices(SAMPLES, k=2)).encode()
    start = source.randint(0, 2)
    return (to_glyphs(data[start : len(data) - source.randint(0, 2)]),)


# 05-4: a line of a rank file


def rank_line(line: bytes) -> tuple[bytes, int] | None:
    match = re.fullmatch(rb"([A-Za-z0-9+/]+={0,2}) ([0-9]+)", line)
    if not match or len(match[1]) % 4:
        return None
    return base64.b64decode(match[1]), int(match[2])


def careless(spaces: bool, strict: bool, digits: bool, quiet: bool) -> Callable[[bytes], Any]:
    """A reader: one space asked for, strict base64, digits only, None instead of an exception."""

    def read(line: bytes) -> tuple[bytes, int] | None:
        try:
            token, rank = line.split(b" ") if spaces else line.split()
            if digits and not rank.isdigit():
                raise ValueError
            return base64.b64decode(token, validate=strict), int(rank)
        except ValueError:
            if quiet:
                return None
            raise

    return read


def swapped(line: bytes) -> Any:
    found = rank_line(line)
    return found and found[::-1]


def rank_as_text(line: bytes) -> Any:
    found = rank_line(line)
    return found and (found[0], str(found[1]))


def rank_as_bytes(line: bytes) -> Any:
    found = rank_line(line)
    return found and (found[0], str(found[1]).encode())


def token_as_text(errors: str) -> Callable[[bytes], Any]:
    def read(line: bytes) -> Any:
        found = rank_line(line)
        return found and (found[0].decode("utf-8", errors), found[1])

    return read


def token_still_coded(line: bytes) -> Any:
    return rank_line(line) and (line.split()[0], int(line.split()[1]))


def line_mistakes() -> list[Mistake]:
    """Each careless reader, named after the first thing it lets through."""
    says = {
        "splitting at any blank": ".split() also takes tabs and two spaces; say .split(b' ').",
        "base64 that is not strict": "b64decode drops strange characters unless you say validate=True.",
        "int() as a judge": "int() also takes signs and underscores; ask .isdigit() first.",
        "an exception that gets out": "catch ValueError and return None; base64 raises that kind too.",
    }
    found = []
    for number in range(1, 16):  # each bit a fault
        faults = [bool(number >> bit & 1) for bit in range(4)]
        name = list(says)[faults.index(True)]
        found.append(Mistake(name, careless(*(not fault for fault in faults)), says[name]))
    return found


BAD_LINES = (
    "{token}\t{rank}",
    "{token}  {rank}",
    " {token} {rank}",
    "{token} {rank} ",
    "{token} {rank} 1",
    "{token} -{rank}",
    "{token} +{rank}",
    "{token} 1_{rank}",
    "{token}= {rank}x",
    "{token}",
    "*{token} {rank}",
    "{token}-_-_ {rank}",
)


def fresh_line(source: random.Random) -> tuple[Any, ...]:
    token = base64.b64encode(source.randbytes(source.randint(1, 7))).decode()
    form = source.choice((*BAD_LINES, "{token} {rank}", "{token} {rank}", "{token} {rank}", "{token} {rank}"))
    return (form.format(token=token, rank=source.randint(0, 200_000)).encode(),)


EXERCISES: list[Exercise] = [
    Exercise(
        id="05-1",
        right="Ãłĉ",
        hints=(
            "First the bytes: à is U+00E0, two bytes in UTF-8 (lesson 01); the tab is one.",
            "The bytes are c3 a0 09. c3 stays. a0 has 33 + 33 moved bytes before it, 09 has nine.",
        ),
        mistakes=[
            Mistake("the distance 256", "Ã\u01a0ĉ", "a0 is the moved byte number 66, so it gets U+0142."),
            Mistake("the byte a0 left alone", "Ã\u00a0ĉ", "U+00A0 is a kind of space; a0 moves to U+0142."),
            Mistake("the tab left alone", "Ãł\t", "09 is below 20 and moves to U+0109."),
            Mistake("counting from 1", "ÃŃĊ", "the first moved byte, 00, has n = 0."),
            Mistake(
                "a character for a byte", "àĉ", "à has two bytes in UTF-8, c3 a0, and each gets a glyph."
            ),
            Mistake("Latin-1", "Ã\u00a0\t", "a0 and 09 cannot be seen, so they move."),
        ],
    ),
    Exercise(
        id="05-2",
        right=to_glyphs,
        cases=[
            (b"low",),
            (b" the\n",),
            ("你".encode(),),
            (b"\x00\x7f\xad\xff",),
            (b"",),
        ],
        fresh=fresh_data,
        hints=(
            "Make a list of the 68 bytes that move, in rising order. What is the glyph of the n-th?",
            "moved = [*range(0x21), *range(0x7F, 0xA1), 0xAD]; the glyph of a moved byte is "
            "chr(0x100 + moved.index(byte)), of any other byte chr(byte).",
        ),
        mistakes=[
            Mistake(
                "the distance 256",
                shifted_by_256,
                "that fits 00 to 20 only; the n-th moved byte gets U+0100 + n.",
            ),
            Mistake("U+0100 + byte for every byte", all_shifted, "188 bytes keep their character."),
            Mistake("Latin-1", latin_1, "68 of these characters cannot be seen, and those bytes move."),
            Mistake("UTF-8", as_text, "any bytes are allowed, also such as are no text; map byte by byte."),
            Mistake("UTF-8", as_text_replaced, "bytes that are no text must not be lost; map byte by byte."),
            Mistake("only the space moved", space_only, "67 other bytes move as well, the newline for one."),
            Mistake("only the space moved", text_with_space, "67 other bytes move too; map byte by byte."),
            Mistake(
                "a space that stays",
                moving([byte for byte in MOVED if byte != 0x20]),
                "str.isprintable counts the space as printable; here it moves, as number 32.",
            ),
            Mistake("only 00 to 20 moved", moving(MOVED[:33]), "7f to a0 and ad cannot be seen either."),
            Mistake("ad forgotten", moving(MOVED[:-1]), "the soft hyphen ad moves too, as the last one."),
            Mistake(
                "7f forgotten",
                moving([byte for byte in MOVED if byte != 0x7F]),
                "7f is a control character; the second stretch is 7f to a0.",
            ),
            Mistake(
                "a0 forgotten",
                moving([byte for byte in MOVED if byte != 0xA0]),
                "range ends before its end: range(0x7F, 0xA1) holds a0.",
            ),
            Mistake("counting from 1", moving(MOVED, 0x101), "the first moved byte, 00, has n = 0."),
        ],
    ),
    Exercise(
        id="05-3",
        right=read_entry,
        cases=[("Ġthe",), ("ä½ł",), ("ä½",), ("ł",), ("Ãł",), ("ðŁĳĭ",)],
        fresh=fresh_entry,
        hints=(
            "Two steps: glyphs to bytes, then bytes to text. All bytes first, and only then the text.",
            "bytes(BYTES[glyph] for glyph in entry) gives the bytes; .decode takes errors='replace'.",
        ),
        mistakes=[
            Mistake(
                "only the space turned back", only_the_space, "every glyph stands for a byte, not only Ġ."
            ),
            Mistake("each glyph alone", glyphs_alone, "a character may have several bytes; join them first."),
            Mistake(
                "256 taken away",
                minus_256,
                "that fits the glyphs of 00 to 20 only; ł is U+0142 and stands for a0. Use BYTES.",
            ),
            Mistake(
                "Latin-1 for the glyphs", from_latin_1, "Ġ and ł are not in Latin-1; look glyphs up in BYTES."
            ),
            Mistake(
                "Latin-1 for the glyphs",
                from_latin_1_replaced,
                "Ġ and ł are not in Latin-1; look glyphs up in BYTES.",
            ),
            Mistake("Latin-1 for the bytes", characters_of_bytes, "the bytes of an entry are UTF-8."),
            Mistake(
                "bad bytes that stop it",
                lambda entry: read_entry(entry, "strict"),
                "an entry may be a part of a character; say errors='replace'.",
            ),
            Mistake(
                "bad bytes left out",
                lambda entry: read_entry(entry, "ignore"),
                "errors='ignore' hides the loss; errors='replace' shows it.",
            ),
            Mistake("bytes for a text", from_glyphs, "one step is missing: read the bytes as UTF-8."),
        ],
    ),
    Exercise(
        id="05-4",
        right=rank_line,
        cases=[
            (b"IHRoZQ== 279",),
            (b"5L0= 8687",),
            (b"IHRoZQ==\t279",),
            (b"IHRoZQ==  279",),
            (b"IHR*oZQ== 279",),
            (b"IHRoZQ 279",),
            (b"IHRoZQ== 2_79",),
            (b"IHRoZQ==",),
        ],
        fresh=fresh_line,
        hints=(
            "Three checks: exactly one space, base64 without strange characters, a rank of digits only.",
            "line.split(b' ') must give two parts; base64.b64decode(token, validate=True) raises ValueError "
            "for bad base64; rank.isdigit() is true for digits only.",
        ),
        mistakes=[
            *line_mistakes(),
            Mistake("rank before token", swapped, "the token comes first, then the rank."),
            Mistake("a rank that is no number", rank_as_text, "int() makes a number of the digits."),
            Mistake("a rank that is no number", rank_as_bytes, "int() makes a number of the digits."),
            Mistake("base64 left as it is", token_still_coded, "base64.b64decode gives the token's bytes."),
            *(
                Mistake("a token read as text", token_as_text(errors), "a token may be no whole text.")
                for errors in ("strict", "replace", "ignore")
            ),
        ],
    ),
    Exercise(
        id="05-5",
        right="休息",
        hints=(
            "repairs(damaged) gives each mending with its encodings; from_glyphs turns one into bytes.",
            "Only one of the two is an entry: look for the bytes in qwen. Then decode those bytes.",
        ),
        mistakes=[
            Mistake(
                "the first encoding that fits",
                "休滯",
                "Latin-1 fits, but its text is no entry of the vocabulary; look at the other one.",
            ),
            Mistake(
                "the entry for its text", "ä¼ĳæģ¯", "these are the right glyphs; now read them as a text."
            ),
            Mistake(
                "the encoding for the text", "iso8859_4", "right, that one; now give the text it leads to."
            ),
            Mistake("one character", "息", "the glyphs that were not damaged belong to the text as well."),
            Mistake("the bytes", "休息".encode(), "right, these bytes; now read them as UTF-8."),
            Mistake("the id", 100020, "right, that entry; now give its text."),
        ],
    ),
]
