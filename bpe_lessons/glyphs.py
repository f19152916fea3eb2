"""256 bytes <-> 256 printable characters: the Ġ map of GPT-2, and the repair of strings damaged on the way.

Source: GPT-2's encoder.py, where the map lets a text file and a space-separated list hold any byte.
"""

from bpe_lessons.lesson import byte_order


def glyph_of_byte() -> dict[int, str]:
    """Every byte -> its glyph: 188 printable bytes keep their character, the n-th other gets U+0100 + n.

    >>> glyph_of_byte()[0x20], glyph_of_byte()[0xA0], glyph_of_byte()[0x41]
    ('Ġ', 'ł', 'A')
    """
    order = byte_order("glyphs")
    kept = {byte: chr(byte) for byte in order[:188]}
    return kept | {byte: chr(0x100 + n) for n, byte in enumerate(order[188:])}


GLYPHS = glyph_of_byte()
BYTES = {glyph: byte for byte, glyph in GLYPHS.items()}


def to_glyphs(data: bytes) -> str:
    """The glyphs of some bytes, one character a byte.

    >>> to_glyphs(" 你".encode())
    'Ġä½ł'
    """
    return "".join(GLYPHS[byte] for byte in data)


def from_glyphs(glyphs: str) -> bytes:
    """The bytes of a string of glyphs. Raises ValueError naming the first character that is no glyph.

    >>> from_glyphs("Ġthe")
    b' the'
    """
    for position, character in enumerate(glyphs):
        if character not in BYTES:
            raise ValueError(
                f"character {position} of {glyphs!r}, U+{ord(character):04X}, is none of the 256 glyphs"
            )
    return bytes(BYTES[character] for character in glyphs)


SINGLE_BYTE = (
    *(f"iso8859_{part}" for part in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
    *(f"cp125{digit}" for digit in range(9)),
    "koi8_r",
    "mac_roman",
)


def repairs(glyphs: str) -> dict[str, list[str]]:
    """The ways to mend a glyph string decoded once too often: mended glyphs -> encodings that explain it.

    Such a string was taken for bytes of a single-byte encoding, and where these happened to be UTF-8 they
    were read as such. Going back, each character that is no glyph turns into its UTF-8 bytes, and these
    into characters of that encoding. A way counts when all is glyphs again and its bytes are whole UTF-8.
    A string that is whole already needs none: the result is empty.

    >>> list(repairs("\u00e5\u012a\u0128\u8fa8\u00e7\u0130\u0129")), repairs("Ġthe")
    (['åĪĨè¾¨çİĩ'], {})
    """
    found: dict[str, list[str]] = {}
    foreign = [character for character in glyphs if character not in BYTES]
    for encoding in SINGLE_BYTE if foreign else ():
        try:
            meant = {character: character.encode("utf-8").decode(encoding) for character in foreign}
            mended = "".join(meant.get(character, character) for character in glyphs)
            from_glyphs(mended).decode("utf-8")
        except ValueError:
            continue
        found.setdefault(mended, []).append(encoding)
    return found
