"""The exercises of lesson 05: right answers pass, classic mistakes are named, shortcuts fail."""

import base64
import re
import struct

import pytest

from bpe_lessons import check
from bpe_lessons.glyphs import BYTES

IDS = ["05-1", "05-2", "05-3", "05-4", "05-5"]


# Right answers, written in another way than the solutions.


def seen_by_python(data):
    seen = [chr(byte) if chr(byte).isprintable() and byte != 32 else "" for byte in range(256)]
    table, free = {}, 256
    for byte, character in enumerate(seen):
        table[byte] = character or chr(free)
        free += not character
    return data.decode("latin-1").translate(table)


def by_ranges(entry):
    data = b""
    for glyph in entry:
        number = ord(glyph)
        if number > 0x142:
            number = 0xAD
        elif number > 0x120:
            number += 0x7F - 0x121
        data += struct.pack("B", number % 256)
    return str(data, "utf-8", "replace")


def round_trip(line):
    token, _, rank = line.partition(b" ")
    try:
        data = base64.b64decode(token)
    except ValueError:
        return None
    same = base64.b64encode(data) == token and re.fullmatch(b"[0-9]+", rank)
    return [data, int(rank)] if same else None


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("05-1", "\u00c3\u0142\u0109"),
        ("05-2", seen_by_python),
        ("05-3", by_ranges),
        ("05-4", round_trip),
        ("05-5", bytes.fromhex("e4bc91e681af").decode()),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.

STAY = [*range(33, 127), *range(161, 173), *range(174, 256)]


def table_of(stay, first=256):
    table, n = {}, 0
    for byte in range(256):
        if byte in stay:
            table[byte] = chr(byte)
        else:
            table[byte] = chr(first + n)
            n += 1
    return table


def map_with(table):
    return lambda data: "".join([table[byte] for byte in data])


def plus_256(data):
    return "".join(chr(byte) if byte in STAY else chr(256 + byte) for byte in data)


def plus_256_always(data):
    return "".join(chr(256 + byte) for byte in data)


def chr_of_each(data):
    return "".join(map(chr, data))


def just_decoded(data):
    return data.decode()


def decoded_leniently(data):
    return str(data, "utf-8", errors="replace")


def spaces_only(data):
    return "".join("\u0120" if byte == 32 else chr(byte) for byte in data)


def spaces_of_the_text(data):
    return "\u0120".join(data.decode(errors="replace").split(" "))


def space_back(entry):
    return " ".join(entry.split("Ġ"))


def one_by_one(entry):
    return "".join(bytes([BYTES[glyph]]).decode(errors="replace") for glyph in entry)


def minus(entry):
    return bytes(ord(c) - 256 if ord(c) > 255 else ord(c) for c in entry).decode(errors="replace")


def latin_entry(entry):
    return entry.encode("iso-8859-1").decode(errors="replace")


def latin_text(entry):
    return "".join(chr(BYTES[glyph]) for glyph in entry)


def strictly(entry):
    return bytes(BYTES[glyph] for glyph in entry).decode()


def hiding(entry):
    return bytes(BYTES[glyph] for glyph in entry).decode(errors="ignore")


def only_bytes(entry):
    return bytes(BYTES[glyph] for glyph in entry)


def naive_line(line):
    token, rank = line.split()
    return base64.b64decode(token), int(rank)


def any_blank(line):
    parts = line.split()
    if len(parts) != 2 or not parts[1].isdigit():
        return None
    try:
        return base64.b64decode(parts[0], validate=True), int(parts[1])
    except ValueError:
        return None


def lenient_base64(line):
    parts = line.split(b" ")
    if len(parts) != 2 or not parts[1].isdigit():
        return None
    try:
        return base64.b64decode(parts[0]), int(parts[1])
    except ValueError:
        return None


def trusting_int(line):
    parts = line.split(b" ")
    if len(parts) != 2:
        return None
    try:
        return base64.b64decode(parts[0], validate=True), int(parts[1])
    except ValueError:
        return None


def raising(line):
    token, rank = line.split(b" ")
    if not rank.isdigit():
        raise ValueError("not a rank")
    return base64.b64decode(token, validate=True), int(rank)


def rank_first(line):
    found = round_trip(line)
    return found and (found[1], found[0])


def rank_not_read(line):
    found = round_trip(line)
    return found and (found[0], line.split()[1].decode())


def rank_in_bytes(line):
    found = round_trip(line)
    return found and (found[0], line.split()[1])


def token_not_read(line):
    found = round_trip(line)
    return found and (line.split()[0], found[1])


def token_decoded(line):
    found = round_trip(line)
    return found and (found[0].decode(), found[1])


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("05-1", "Ã" + chr(0xA0 + 256) + "ĉ", "the distance 256"),
        ("05-1", "Ã" + chr(0xA0) + "ĉ", "the byte a0 left alone"),
        ("05-1", "Ãł\t", "the tab left alone"),
        ("05-1", "ÃŃĊ", "counting from 1"),
        ("05-1", "àĉ", "a character for a byte"),
        ("05-1", "à\t".encode().decode("latin-1"), "Latin-1"),
        ("05-2", plus_256, "the distance 256"),
        ("05-2", plus_256_always, "U+0100 + byte for every byte"),
        ("05-2", chr_of_each, "Latin-1"),
        ("05-2", just_decoded, "UTF-8"),
        ("05-2", decoded_leniently, "UTF-8"),
        ("05-2", spaces_only, "only the space moved"),
        ("05-2", spaces_of_the_text, "only the space moved"),
        ("05-2", map_with(table_of([32, *STAY])), "a space that stays"),
        ("05-2", map_with(table_of(range(33, 256))), "only 00 to 20 moved"),
        ("05-2", map_with(table_of([173, *STAY])), "ad forgotten"),
        ("05-2", map_with(table_of([127, *STAY])), "7f forgotten"),
        ("05-2", map_with(table_of([160, *STAY])), "a0 forgotten"),
        ("05-2", map_with(table_of(STAY, 257)), "counting from 1"),
        ("05-3", space_back, "only the space turned back"),
        ("05-3", one_by_one, "each glyph alone"),
        ("05-3", minus, "256 taken away"),
        ("05-3", latin_entry, "Latin-1 for the glyphs"),
        ("05-3", latin_text, "Latin-1 for the bytes"),
        ("05-3", strictly, "bad bytes that stop it"),
        ("05-3", hiding, "bad bytes left out"),
        ("05-3", only_bytes, "bytes for a text"),
        ("05-4", naive_line, "splitting at any blank"),
        ("05-4", any_blank, "splitting at any blank"),
        ("05-4", lenient_base64, "base64 that is not strict"),
        ("05-4", trusting_int, "int() as a judge"),
        ("05-4", raising, "an exception that gets out"),
        ("05-4", rank_first, "rank before token"),
        ("05-4", rank_not_read, "a rank that is no number"),
        ("05-4", rank_in_bytes, "a rank that is no number"),
        ("05-4", token_not_read, "base64 left as it is"),
        ("05-4", token_decoded, "a token read as text"),
        ("05-5", "休滯", "the first encoding that fits"),
        ("05-5", "\u00e4\u00bc\u0133\u00e6\u0123\u00af", "the entry for its text"),
        ("05-5", "iso8859_4", "the encoding for the text"),
        ("05-5", "息", "one character"),
        ("05-5", b"\xe4\xbc\x91\xe6\x81\xaf", "the bytes"),
        ("05-5", 100020, "the id"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
