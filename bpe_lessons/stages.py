"""The components of a tokenizer.json: normalizers, pre-tokenizers, decoders, each a function."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

import regex

from bpe_lessons.glyphs import BYTES, to_glyphs
from bpe_lessons.split import HANZI, PATTERNS, PUNCTUATION, compiled, matches

Span = tuple[int, int]


@dataclass(frozen=True)
class Piece:
    """A stretch of text; for each character the (start, end) in the original text that it comes from."""

    text: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, text: str) -> "Piece":
        """A text as it comes, each character from its own place."""
        return cls(text, tuple((i, i + 1) for i in range(len(text))))

    def cut(self, start: int, stop: int) -> "Piece":
        """Some of the characters."""
        return Piece(self.text[start:stop], self.spans[start:stop])

    def place(self, start: int, stop: int) -> Span:
        """Where in the original some characters come from."""
        return self.spans[start][0], self.spans[stop - 1][1]

    def map(self, change: Callable[[str], str]) -> "Piece":
        """Each character changed by itself, into any number of characters of the same place."""
        changed = [(change(character), span) for character, span in zip(self.text, self.spans, strict=True)]
        return Piece(
            "".join(text for text, _ in changed), tuple(span for text, span in changed for _ in text)
        )


Normalizer = Callable[[Piece], Piece]
PreTokenizer = Callable[[Piece], list[Piece]]
Decoder = Callable[[list[str]], str]
DecoderStep = Callable[[list[str]], list[str]]
Component = TypeVar("Component")


def fields(data: Any, where: str, **known: Any) -> dict[str, Any]:
    """The fields of a component, with defaults; `...` marks one that must be there.

    Raises ValueError naming a field that is missing or not known.
    """
    if not isinstance(data, dict):
        raise ValueError(f"{where}: not a JSON object: {data!r}")
    for key in data:
        if key not in known:
            raise ValueError(f"{where}: the field {key!r} is not supported; known: {', '.join(known)}")
    for key, default in known.items():
        if default is ... and key not in data:
            raise ValueError(f"{where}: the field {key!r} is missing")
    return known | data


def build(data: Any, where: str, makers: dict[str, Callable[[Any], Any]]) -> Any:
    """The component of some data, made by the maker of its type. Raises ValueError for an unknown type."""
    kind = data.get("type") if isinstance(data, dict) else data
    if kind not in makers:
        raise ValueError(f"{where}: the type {kind!r} is not supported; supported: {', '.join(makers)}")
    return makers[kind](data)


def plain(where: str, component: Component) -> Callable[[Any], Component]:
    """A maker of a component that has no settings."""

    def make(data: Any) -> Component:
        fields(data, where, type=...)
        return component

    return make


def pattern_of(data: Any, where: str) -> Any:
    """The compiled pattern of a Split or Replace: {"String": ...} is literal, {"Regex": ...} is not."""
    if isinstance(data, dict) and len(data) == 1:
        ((kind, pattern),) = data.items()
        if kind in ("String", "Regex") and isinstance(pattern, str):
            return compiled(re.escape(pattern) if kind == "String" else pattern)
    raise ValueError(f'{where}: the pattern {data!r} is neither {{"String": ...}} nor {{"Regex": ...}}')


# Normalizers


def normalizer(data: Any) -> Normalizer:
    """The normalizer of a tokenizer.json; null changes nothing."""
    return (lambda piece: piece) if data is None else build(data, "normalizer", NORMALIZERS)


def unicode_form(form: Any) -> Normalizer:
    """NFC, NFD, NFKC or NFKD."""

    def normalize(piece: Piece) -> Piece:
        if unicodedata.is_normalized(form, piece.text):
            return piece
        text, i = "", 0
        spans: list[Span] = []
        for cluster in regex.findall(r"\X", piece.text):
            changed = unicodedata.normalize(form, cluster)
            own = piece.spans[i : i + len(cluster)]
            text += changed
            spans += [own[min(n, len(own) - 1)] for n in range(len(changed))]
            i += len(cluster)
        whole = unicodedata.normalize(form, piece.text)
        return Piece(text, tuple(spans)) if text == whole else Piece(whole, (piece.place(0, i),) * len(whole))

    return normalize


def without(marks: str) -> Normalizer:
    """Without characters of some categories: `M` all combining marks, `Mn` those that take no room."""
    return lambda piece: piece.map(lambda c: "" if unicodedata.category(c).startswith(marks) else c)


def lowercase(piece: Piece) -> Piece:
    """Each character in lower case."""
    return piece.map(str.lower)


def _clean(character: str) -> str:
    if character == "\ufffd" or (unicodedata.category(character)[0] == "C" and character not in "\t\n\r"):
        return ""
    return " " if regex.match(r"\s", character) else character


def _bert(data: Any) -> Normalizer:
    known = fields(
        data,
        "normalizer",
        type=...,
        clean_text=True,
        handle_chinese_chars=True,
        strip_accents=None,
        lowercase=True,
    )

    hanzi = compiled(f"[{HANZI}]")

    def normalize(piece: Piece) -> Piece:
        if known["clean_text"]:
            piece = piece.map(_clean)
        if known["handle_chinese_chars"]:
            piece = piece.map(lambda c: f" {c} " if hanzi.match(c) else c)
        if known["lowercase"] if known["strip_accents"] is None else known["strip_accents"]:
            piece = without("Mn")(unicode_form("NFD")(piece))
        return lowercase(piece) if known["lowercase"] else piece

    return normalize


def _nmt(character: str) -> str:
    point = ord(character)
    if 1 <= point <= 8 or point in (0x0B, 0x7F, 0x8F, 0x9F) or 0x0E <= point <= 0x1F:
        return ""
    spaces = (0x09, 0x0A, 0x0C, 0x0D, 0x1680, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD)
    return " " if point in spaces or 0x200B <= point <= 0x200F else character


def _replace(data: Any) -> Normalizer:
    known = fields(data, "normalizer", type=..., pattern=..., content=...)
    pattern, content = pattern_of(known["pattern"], "normalizer"), known["content"]

    def normalize(piece: Piece) -> Piece:
        text, spans, end = "", [], 0
        for start, stop in matches(piece.text, pattern):
            text += piece.text[end:start] + content
            place = piece.place(start, stop) if stop > start else (piece.spans[start - 1][1],) * 2
            spans += [*piece.spans[end:start], *[place] * len(content)]
            end = stop
        return Piece(text + piece.text[end:], (*spans, *piece.spans[end:]))

    return normalize


def _prepend(data: Any) -> Normalizer:
    prefix = fields(data, "normalizer", type=..., prepend=...)["prepend"]
    return lambda piece: prepended(prefix, piece)


def prepended(prefix: str, piece: Piece) -> Piece:
    """The piece with a prefix, which gets the place of the first character. An empty piece stays empty."""
    return Piece(prefix + piece.text, (piece.spans[0],) * len(prefix) + piece.spans) if piece.text else piece


def leading_space(text: str) -> int:
    """How many characters of white space a text begins with (Unicode's White_Space, not Python's isspace)."""
    return len(regex.match(r"\s*", text).group())


def _strip(data: Any) -> Normalizer:
    known = fields(data, "normalizer", type=..., strip_left=True, strip_right=True)

    def normalize(piece: Piece) -> Piece:
        start = leading_space(piece.text) if known["strip_left"] else 0
        stop = len(piece.text) - (leading_space(piece.text[::-1]) if known["strip_right"] else 0)
        return piece.cut(start, max(start, stop))

    return normalize


def _normalizers(data: Any) -> Normalizer:
    steps = [
        normalizer(step) for step in fields(data, "normalizer", type=..., normalizers=...)["normalizers"]
    ]

    def normalize(piece: Piece) -> Piece:
        for step in steps:
            piece = step(piece)
        return piece

    return normalize


NORMALIZERS: dict[str, Callable[[Any], Normalizer]] = {
    **{form: plain("normalizer", unicode_form(form)) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "StripAccents": plain("normalizer", without("M")),
    "Lowercase": plain("normalizer", lowercase),
    "Nmt": plain("normalizer", lambda piece: piece.map(_nmt)),
    "BertNormalizer": _bert,
    "Replace": _replace,
    "Prepend": _prepend,
    "Strip": _strip,
    "Sequence": _normalizers,
}


# Pre-tokenizers


def pre_tokenizer(data: Any) -> PreTokenizer:
    """The pre-tokenizer of a tokenizer.json; null leaves the text in one piece."""
    make: PreTokenizer = (
        (lambda piece: [piece]) if data is None else build(data, "pre_tokenizer", PRE_TOKENIZERS)
    )
    return lambda piece: [part for part in make(piece) if part.text]


def split_piece(piece: Piece, pattern: Any, behavior: str, invert: bool = False) -> list[Piece]:
    """The parts of a piece at the matches of a pattern; what lies between is a part as well.

    The five behaviors say what becomes of a match: Removed, Isolated, MergedWithPrevious, MergedWithNext,
    Contiguous (adjacent matches join). `invert` takes the stretches between for the matches.
    """
    parts: list[tuple[int, int, bool]] = []  # start, stop, is a match
    end = 0
    for start, stop in matches(piece.text, pattern):
        parts += [(end, start, False), (start, stop, True)]
        end = stop
    parts.append((end, len(piece.text), False))
    parts = [(start, stop, match != invert) for start, stop, match in parts if stop > start]
    if behavior == "Removed":
        parts = [part for part in parts if not part[2]]
    elif behavior == "Contiguous":
        parts = [_joined(list(group)) for _, group in groupby(parts, key=lambda part: part[2])]
    elif behavior == "MergedWithPrevious":
        parts = _attached(parts)
    elif behavior == "MergedWithNext":
        mirrored = [(-stop, -start, match) for start, stop, match in reversed(parts)]
        parts = [(-stop, -start, match) for start, stop, match in reversed(_attached(mirrored))]
    return [piece.cut(start, stop) for start, stop, _ in parts]


def _joined(parts: list[tuple[int, int, bool]]) -> tuple[int, int, bool]:
    return parts[0][0], parts[-1][1], parts[0][2]


def _attached(parts: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Each match joined to the part before it, unless that is a match too."""
    joined: list[tuple[int, int, bool]] = []
    previous = False
    for start, stop, match in parts:
        if match and not previous and joined:
            joined[-1] = (joined[-1][0], stop, False)
        else:
            joined.append((start, stop, False))
        previous = match
    return joined


BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def _behavior(name: Any) -> str:
    if name not in BEHAVIORS:
        raise ValueError(
            f"pre_tokenizer: the behavior {name!r} is not supported; known: {', '.join(BEHAVIORS)}"
        )
    return str(name)


def _split(data: Any) -> PreTokenizer:
    known = fields(data, "pre_tokenizer", type=..., pattern=..., behavior=..., invert=False)
    pattern, behavior = pattern_of(known["pattern"], "pre_tokenizer"), _behavior(known["behavior"])
    return lambda piece: split_piece(piece, pattern, behavior, known["invert"])


def _by(expression: str, behavior: str, invert: bool = False) -> Callable[[Any], PreTokenizer]:
    """A maker of a pre-tokenizer without settings."""
    pattern = compiled(expression)
    return plain("pre_tokenizer", lambda piece: split_piece(piece, pattern, behavior, invert))


def _digits(data: Any) -> PreTokenizer:
    known = fields(data, "pre_tokenizer", type=..., individual_digits=False)
    behavior = "Isolated" if known["individual_digits"] else "Contiguous"
    return lambda piece: split_piece(piece, compiled(r"\p{N}"), behavior)


def _punctuation(data: Any) -> PreTokenizer:
    behavior = _behavior(fields(data, "pre_tokenizer", type=..., behavior="Isolated")["behavior"])
    return lambda piece: split_piece(piece, compiled(f"[{PUNCTUATION}]"), behavior)


def _bert_splits(data: Any) -> PreTokenizer:
    fields(data, "pre_tokenizer", type=...)
    return lambda piece: [
        part
        for word in split_piece(piece, compiled(r"\s"), "Removed")
        for part in split_piece(word, compiled(f"[{PUNCTUATION}]"), "Isolated")
    ]


def _byte_level(data: Any) -> PreTokenizer:
    known = fields(data, "pre_tokenizer", type=..., add_prefix_space=True, trim_offsets=True, use_regex=True)

    def cut(piece: Piece) -> list[Piece]:
        if known["add_prefix_space"] and not piece.text.startswith(" "):
            piece = prepended(" ", piece)
        parts = (
            split_piece(piece, compiled(PATTERNS["gpt2"][0]), "Isolated") if known["use_regex"] else [piece]
        )
        return [part.map(lambda character: to_glyphs(character.encode())) for part in parts]

    return cut


def _metaspace(data: Any) -> PreTokenizer:
    known = _metaspace_fields(data, "pre_tokenizer")
    mark, scheme = known["replacement"], known["prepend_scheme"]

    def cut(piece: Piece) -> list[Piece]:
        first = bool(piece.spans) and piece.spans[0][0] == 0
        piece = piece.map(lambda character: mark if character == " " else character)
        if not piece.text.startswith(mark) and (scheme == "always" or (scheme == "first" and first)):
            piece = prepended(mark, piece)
        return split_piece(piece, compiled(re.escape(mark)), "MergedWithNext") if known["split"] else [piece]

    return cut


def _metaspace_fields(data: Any, where: str) -> dict[str, Any]:
    known = fields(data, where, type=..., replacement="▁", prepend_scheme="always", split=True)
    if known["prepend_scheme"] not in ("always", "first", "never"):
        raise ValueError(f"{where}: the prepend_scheme {known['prepend_scheme']!r} is not supported")
    return known


def _pre_tokenizers(data: Any) -> PreTokenizer:
    known = fields(data, "pre_tokenizer", type=..., pretokenizers=...)
    steps = [pre_tokenizer(step) for step in known["pretokenizers"]]

    def cut(piece: Piece) -> list[Piece]:
        pieces = [piece]
        for step in steps:
            pieces = [part for whole in pieces for part in step(whole)]
        return pieces

    return cut


PRE_TOKENIZERS: dict[str, Callable[[Any], PreTokenizer]] = {
    "Split": _split,
    "ByteLevel": _byte_level,
    "Digits": _digits,
    "Punctuation": _punctuation,
    "Metaspace": _metaspace,
    "Whitespace": _by(r"\w+|[^\w\s]+", "Removed", invert=True),
    "WhitespaceSplit": _by(r"\s", "Removed"),
    "BertPreTokenizer": _bert_splits,
    "Sequence": _pre_tokenizers,
}


def trim_offsets(tokens: Sequence[str], offsets: Sequence[Span], add_prefix_space: bool) -> Iterator[Span]:
    """Yield the offsets without the spaces (Ġ) at the ends of the tokens."""
    for i, (token, (start, stop)) in enumerate(zip(tokens, offsets, strict=True)):
        leading = len(token) - len(token.lstrip("Ġ"))
        trailing = len(token) - len(token.rstrip("Ġ"))
        if not ((i == 0 or start == 0) and add_prefix_space):
            start = min(start + leading, stop)
        if stop >= trailing:
            stop = max(stop - trailing, start)
        yield start, stop


# Decoders


def decoder(data: Any) -> Decoder:
    """The decoder of a tokenizer.json: token strings -> text; null joins them with spaces."""
    if data is None:
        return " ".join
    step = build(data, "decoder", DECODERS)
    return lambda tokens: "".join(step(tokens))


def _glyph_text(tokens: list[str]) -> list[str]:
    data = b""
    for token in tokens:
        foreign = any(character not in BYTES for character in token)
        data += token.encode() if foreign else bytes(BYTES[character] for character in token)
    return [data.decode("utf-8", "replace")]


def _byte_level_back(data: Any) -> DecoderStep:
    fields(data, "decoder", type=..., add_prefix_space=True, trim_offsets=True, use_regex=True)
    return _glyph_text


def _byte_fallback(tokens: list[str]) -> list[str]:
    """Runs of byte tokens as their text; where a run is no UTF-8, U+FFFD for each of its bytes."""
    found: list[str] = []
    for is_byte, run in groupby(tokens, key=lambda token: bool(re.fullmatch("<0x[0-9A-Fa-f]{2}>", token))):
        if not is_byte:
            found += run
            continue
        data = bytes(int(token[3:5], 16) for token in run)
        try:
            found.append(data.decode("utf-8"))
        except UnicodeDecodeError:
            found += "\ufffd" * len(data)
    return found


def _metaspace_back(data: Any) -> DecoderStep:
    known = _metaspace_fields(data, "decoder")
    mark, prepended_first = known["replacement"], known["prepend_scheme"] != "never"
    return lambda tokens: [
        token.replace(mark, "" if i == 0 and prepended_first else " ") for i, token in enumerate(tokens)
    ]


def _replace_back(data: Any) -> DecoderStep:
    known = fields(data, "decoder", type=..., pattern=..., content=...)
    pattern, content = pattern_of(known["pattern"], "decoder"), known["content"]
    return lambda tokens: [pattern.sub(lambda match: content, token) for token in tokens]


def _strip_back(data: Any) -> DecoderStep:
    known = fields(data, "decoder", type=..., content=..., start=0, stop=0)
    mark = re.escape(known["content"])
    pattern = f"^(?:{mark}){{0,{known['start']}}}|(?:{mark}){{0,{known['stop']}}}$"
    return lambda tokens: [re.sub(pattern, "", token) for token in tokens]


def _decoders(data: Any) -> DecoderStep:
    known = fields(data, "decoder", type=..., decoders=...)
    steps: Iterable[DecoderStep] = [build(step, "decoder", DECODERS) for step in known["decoders"]]

    def decode(tokens: list[str]) -> list[str]:
        for step in steps:
            tokens = step(tokens)
        return tokens

    return decode


DECODERS: dict[str, Callable[[Any], DecoderStep]] = {
    "ByteLevel": _byte_level_back,
    "ByteFallback": plain("decoder", _byte_fallback),
    "Fuse": plain("decoder", lambda tokens: ["".join(tokens)]),
    "Metaspace": _metaspace_back,
    "Replace": _replace_back,
    "Strip": _strip_back,
    "Sequence": _decoders,
}
