"""A tokenizer.json as what it is: stages, one after the other, each of which can be looked at.

Source of the format and of every rule here: Hugging Face tokenizers 0.23. A component, a field or a value
that is not supported is refused by name. Text is carried as a `Piece`, which knows where in the original
each of its characters comes from.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import regex

from bpe_lessons.stages import (
    Decoder,
    Normalizer,
    Piece,
    PreTokenizer,
    decoder,
    fields,
    leading_space,
    normalizer,
    pre_tokenizer,
    trim_offsets,
)
from bpe_lessons.text import refused, to_bytes


@dataclass(frozen=True)
class Encoding:
    """A text as tokens: ids, token strings, offsets in characters of the original, and sequence numbers."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    type_ids: tuple[int, ...]

    def __add__(self, other: "Encoding") -> "Encoding":
        return Encoding(
            self.ids + other.ids,
            self.tokens + other.tokens,
            self.offsets + other.offsets,
            self.type_ids + other.type_ids,
        )

    def cut(self, start: int, stop: int) -> "Encoding":
        """Some of the tokens."""
        part = slice(start, stop)
        return Encoding(self.ids[part], self.tokens[part], self.offsets[part], self.type_ids[part])


NOTHING = Encoding((), (), (), ())


@dataclass(frozen=True)
class AddedToken:
    """A token that is matched in the text before anything else looks at it."""

    content: str
    id: int
    single_word: bool
    lstrip: bool
    rstrip: bool
    normalized: bool
    special: bool


# A stretch of text or an added token, its place in the original, and how it is spelled there.
Segment = tuple[Piece | AddedToken, tuple[int, int], str]
Finder = tuple[dict[str, AddedToken], Any]


class Model:
    """The BPE model: token strings with ids, merges with their places in the list."""

    def __init__(self, data: dict[str, Any]) -> None:
        known = fields(
            data,
            "model",
            type="BPE",
            dropout=None,
            unk_token=None,
            continuing_subword_prefix=None,
            end_of_word_suffix=None,
            fuse_unk=False,
            byte_fallback=False,
            ignore_merges=False,
            vocab=...,
            merges=...,
        )
        if known["type"] != "BPE":
            raise ValueError(f"model: the type {known['type']!r} is not supported; supported: BPE")
        if known["dropout"]:
            raise ValueError("model: dropout is not supported")
        self.ids = known["vocab"]
        if not isinstance(self.ids, dict) or not all(type(id) is int and id >= 0 for id in self.ids.values()):
            raise ValueError("model: vocab is not a table from tokens to ids")
        self.tokens = {id: token for token, id in self.ids.items()}
        if len(self.tokens) < len(self.ids):
            raise ValueError("model: two tokens of vocab have one id")
        self.unk = known["unk_token"]
        if self.unk is not None and self.unk not in self.ids:
            raise ValueError(f"model: the unk_token {self.unk!r} is not in vocab")
        self.prefix = known["continuing_subword_prefix"] or ""
        self.suffix = known["end_of_word_suffix"] or ""
        self.fuse_unk, self.byte_fallback = known["fuse_unk"], known["byte_fallback"]
        self.ignore_merges = known["ignore_merges"]
        self.ranks = self._ranks(known["merges"])

    def _ranks(self, merges: Any) -> dict[tuple[str, str], int]:
        """Pair -> its place in the list; a pair that is there twice has its last place."""
        if not isinstance(merges, list):
            raise ValueError("model: merges is not a list")
        if merges and isinstance(merges[0], str) and merges[0].startswith("#version"):
            merges = merges[1:]
        ranks = {}
        for rank, merge in enumerate(merges):
            pair = tuple(merge.split(" ")) if isinstance(merge, str) else tuple(merge)
            if len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
                raise ValueError(f"model: merges[{rank}] {merge!r} is not a pair of tokens")
            for token in (*pair, self.join(*pair)):
                if token not in self.ids:
                    raise ValueError(f"model: merges[{rank}] {merge!r}: the token {token!r} is not in vocab")
            ranks[pair] = rank
        return ranks

    def join(self, left: str, right: str) -> str:
        """The token that a merge makes of two."""
        return left + right.removeprefix(self.prefix)

    def symbols(self, piece: Piece) -> list[tuple[str, int, int]]:
        """The start symbols of a piece as (token, first character, one past the last)."""
        found: list[tuple[str, int, int]] = []
        last = len(piece.text) - 1
        for i, character in enumerate(piece.text):
            symbol = self.prefix * (i > 0) + character + self.suffix * (i == last)
            spelled = [f"<0x{byte:02X}>" for byte in character.encode()]
            if symbol in self.ids:
                found.append((symbol, i, i + 1))
            elif self.byte_fallback and all(byte in self.ids for byte in spelled):
                found += [(byte, i, i + 1) for byte in spelled]
            elif self.unk is not None:
                if self.fuse_unk and found and found[-1][0] == self.unk and found[-1][2] == i:
                    found[-1] = (self.unk, found[-1][1], i + 1)
                else:
                    found.append((self.unk, i, i + 1))
        return found

    def encode(self, piece: Piece) -> list[tuple[str, int, int]]:
        """The tokens of a piece as (token, first character, one past the last), lowest rank merged first."""
        if self.ignore_merges and piece.text in self.ids:
            return [(piece.text, 0, len(piece.text))]
        symbols = self.symbols(piece)
        while True:
            pairs = [(left[0], right[0]) for left, right in pairwise(symbols)]
            known = [(self.ranks[pair], i) for i, pair in enumerate(pairs) if pair in self.ranks]
            if not known:
                return symbols
            _, i = min(known)
            symbols[i : i + 2] = [(self.join(*pairs[i]), symbols[i][1], symbols[i + 1][2])]


class Pipeline:
    """The tokenizer of a tokenizer.json: normalizer, pre-tokenizer, model, post-processor, decoder."""

    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise ValueError("not a tokenizer.json: no JSON object")
        known = fields(
            data,
            "tokenizer.json",
            version="1.0",
            truncation=None,
            padding=None,
            added_tokens=[],
            normalizer=None,
            pre_tokenizer=None,
            post_processor=None,
            decoder=None,
            model=...,
        )
        self.model = Model(known["model"])
        self.normalizer: Normalizer = normalizer(known["normalizer"])
        self.pre_tokenizer: PreTokenizer = pre_tokenizer(known["pre_tokenizer"])
        self.decoder: Decoder = decoder(known["decoder"])
        self.added_tokens = [self._added(token, i) for i, token in enumerate(known["added_tokens"])]
        self.vocabulary = dict(self.model.tokens)  # id -> token as the file writes it
        for added in self.added_tokens:
            if self.vocabulary.setdefault(added.id, added.content) != added.content:
                other = self.vocabulary[added.id]
                raise ValueError(f"added_tokens: {added.content!r} has the id {added.id} of {other!r}")
        self.special_ids = {added.content: added.id for added in self.added_tokens if added.special}
        self._finders = {
            (special_too, normalized): self._finder(special_too, normalized)
            for special_too in (True, False)
            for normalized in (True, False)
        }
        self.post_processor = _PostProcessor(known["post_processor"], self)
        self.truncation = known["truncation"] and fields(
            known["truncation"],
            "truncation",
            direction="Right",
            max_length=...,
            strategy="LongestFirst",
            stride=0,
        )
        self.padding = known["padding"] and fields(
            known["padding"],
            "padding",
            strategy="BatchLongest",
            direction="Right",
            pad_to_multiple_of=None,
            pad_id=...,
            pad_type_id=0,
            pad_token=...,
        )

    @classmethod
    def from_json(cls, data: Any) -> "Pipeline":
        """The pipeline of a parsed tokenizer.json. Raises ValueError naming what it cannot use."""
        return cls(data)

    def _added(self, data: Any, index: int) -> AddedToken:
        token = AddedToken(
            **fields(
                data,
                f"added_tokens[{index}]",
                id=...,
                content=...,
                single_word=False,
                lstrip=False,
                rstrip=False,
                normalized=True,
                special=False,
            )
        )
        if (
            not isinstance(token.content, str)
            or not token.content
            or type(token.id) is not int
            or token.id < 0
        ):
            raise ValueError(f"added_tokens[{index}]: not a text with an id: {data!r}")
        if self.model.ids.get(token.content, token.id) != token.id:
            in_vocab = self.model.ids[token.content]
            raise ValueError(
                f"added_tokens[{index}] {token.content!r} has the id {token.id}, in vocab {in_vocab}"
            )
        return token

    def __len__(self) -> int:
        """The number of tokens, added ones included."""
        return len(self.vocabulary)

    def __repr__(self) -> str:
        return f"<Pipeline of {len(self):,} tokens ({len(self.model.ids):,} in the model)>"

    # the way in

    def encode(self, text: str, special: str = "raise", add_special_tokens: bool = True) -> list[int]:
        """The ids of a text. A special token spelled out in it is treated as `special` says.

        `special` is `raise`, `text` or `special`, as in `Tokenizer.encode`. `add_special_tokens` lets the
        post-processor put its tokens around. Raises ValueError for a refused token and lone surrogates.
        """
        return list(self.encoding(text, None, special, add_special_tokens).ids)

    def encoding(
        self, text: str, pair: str | None = None, special: str = "raise", add_special_tokens: bool = True
    ) -> Encoding:
        """A text, or a pair of texts, as tokens with their offsets, after truncation and post-processing."""
        first = self._tokens(text, special)
        second = None if pair is None else self._tokens(pair, special)
        if self.truncation:
            if second is not None:
                raise ValueError("truncation of a pair is not supported")
            first = self._truncated(first, add_special_tokens)
        return self._padded([self.post_processor(first, second, add_special_tokens)])[0]

    def encodings(self, texts: Iterable[str], special: str = "raise") -> list[Encoding]:
        """Several texts, padded as the file says."""
        found = [self._truncated(self._tokens(text, special), True) for text in texts]
        return self._padded([self.post_processor(encoding, None, True) for encoding in found])

    def trace(self, text: str, special: str = "special") -> Iterator[tuple[str, Any]]:
        """Yield (stage, what the text has become) from the text to its ids and back."""
        yield "text", text
        segments = list(self._segments(text, special))
        yield (
            "normalizer",
            [part.content if isinstance(part, AddedToken) else part.text for part, _, _ in segments],
        )
        pieces = [
            piece for part, _, _ in segments if isinstance(part, Piece) for piece in self.pre_tokenizer(part)
        ]
        yield "pre_tokenizer", [piece.text for piece in pieces]
        yield "model", [[token for token, _, _ in self.model.encode(piece)] for piece in pieces]
        encoding = self.encoding(text, None, special)
        yield "post_processor", list(encoding.tokens)
        yield "ids", list(encoding.ids)
        yield "decoder", self.decode(encoding.ids, skip_special_tokens=False)

    def _tokens(self, text: str, special: str) -> Encoding:
        """The tokens of a text before post-processing."""
        if special not in ("raise", "text", "special"):
            raise ValueError(f"unknown policy {special!r}; known: raise, text, special")
        rows: list[tuple[int, str, tuple[int, int]]] = []
        for part, (start, stop), spelled in self._segments(text, special):
            if isinstance(part, AddedToken):
                if part.special and special == "raise":
                    raise refused(part.content, start)
                rows.append((part.id, spelled, (start, stop)))
                continue
            for piece in self.pre_tokenizer(part):
                for token, first, end in self.model.encode(piece):
                    offsets = (piece.spans[first][0], piece.spans[end - 1][1])
                    rows.append((self.model.ids[token], token, offsets))
        return Encoding(
            tuple(id for id, _, _ in rows),
            tuple(token for _, token, _ in rows),
            tuple(place for _, _, place in rows),
            (0,) * len(rows),
        )

    def _segments(self, text: str, special: str) -> Iterator["Segment"]:
        """Yield the normalized stretches of a text and the added tokens between them."""
        to_bytes(text)
        for part, place, spelled in _cut_at(Piece.of(text), self._finders[special != "text", False]):
            if isinstance(part, AddedToken):
                yield part, place, spelled
            else:
                yield from _cut_at(self.normalizer(part), self._finders[special != "text", True])

    def _finder(self, special_too: bool, normalized: bool) -> "Finder":
        """The added tokens looked for together, by their spelling, and the expression that finds them."""
        spelled = {}
        for token in reversed(self.added_tokens):
            if token.normalized == normalized and (special_too or not token.special):
                spelling = self.normalizer(Piece.of(token.content)).text if normalized else token.content
                if spelling:
                    spelled[spelling] = token
        longest_first = sorted(spelled, key=len, reverse=True)
        return spelled, regex.compile("|".join(map(regex.escape, longest_first))) if spelled else None

    def _truncated(self, encoding: Encoding, add_special_tokens: bool) -> Encoding:
        if not self.truncation:
            return encoding
        if self.truncation["stride"] or self.truncation["strategy"] not in ("LongestFirst", "OnlyFirst"):
            raise ValueError(f"truncation: {self.truncation!r} is not supported")
        around = len(self.post_processor(NOTHING, None, True).ids) if add_special_tokens else 0
        room = max(0, self.truncation["max_length"] - around)
        size = len(encoding.ids)
        if self.truncation["direction"] == "Left":
            return encoding.cut(max(0, size - room), size)
        return encoding.cut(0, room)

    def _padded(self, encodings: list[Encoding]) -> list[Encoding]:
        if not self.padding:
            return encodings
        strategy, multiple = self.padding["strategy"], self.padding["pad_to_multiple_of"]
        size = (
            strategy["Fixed"]
            if isinstance(strategy, dict)
            else max((len(e.ids) for e in encodings), default=0)
        )
        size += -size % multiple if multiple else 0
        padded = []
        for encoding in encodings:
            n = max(0, size - len(encoding.ids))
            pad = Encoding(
                (self.padding["pad_id"],) * n,
                (self.padding["pad_token"],) * n,
                ((0, 0),) * n,
                (self.padding["pad_type_id"],) * n,
            )
            padded.append(pad + encoding if self.padding["direction"] == "Left" else encoding + pad)
        return padded

    # the way back

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of the ids. Raises ValueError that names an id which does not exist."""
        special = set(self.special_ids.values())
        tokens = []
        for id in ids:
            if isinstance(id, bool) or id not in self.vocabulary:
                raise ValueError(f"id {id!r} is not in the vocabulary (0 to {max(self.vocabulary)})")
            if not (skip_special_tokens and id in special):
                tokens.append(self.vocabulary[id])
        return self.decoder(tokens)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Every token string -> its id."""
        return {token: id for id, token in self.vocabulary.items()}


def _cut_at(piece: Piece, finder: Finder) -> Iterator[Segment]:
    """Yield the stretches of a piece between added tokens, and the tokens: leftmost first, then longest."""
    spelled, expression = finder
    text, end = piece.text, 0
    for match in expression.finditer(text) if expression else ():
        token, (start, stop) = spelled[match.group()], match.span()
        touches = regex.match(r"\w", text[max(0, start - 1) : start]) or regex.match(
            r"\w", text[stop : stop + 1]
        )
        if start < end or (token.single_word and touches):
            continue
        if token.lstrip:
            start -= leading_space(text[end:start][::-1])
        if token.rstrip:
            stop = regex.compile(r"\s*").match(text, stop).end()
        if start > end:
            yield piece.cut(end, start), piece.place(end, start), text[end:start]
        yield token, piece.place(start, stop), text[start:stop]
        end = stop
    if end < len(text):
        yield piece.cut(end, len(text)), piece.place(end, len(text)), text[end:]


class _PostProcessor:
    """What is put around the tokens: nothing, trimmed offsets (ByteLevel), or a template."""

    def __init__(self, data: Any, pipeline: Pipeline) -> None:
        self.steps: list[Callable[[Encoding], Encoding]] = []
        self.template: dict[str, Any] | None = None
        steps = [data] if data else []
        if data and data.get("type") == "Sequence":
            steps = fields(data, "post_processor", type=..., processors=...)["processors"]
        for step in steps:
            if step.get("type") == "ByteLevel":
                known = fields(
                    step, "post_processor", type=..., add_prefix_space=True, trim_offsets=True, use_regex=True
                )
                if known["trim_offsets"]:
                    self.steps.append(_trimmer(known["add_prefix_space"]))
            elif step.get("type") == "TemplateProcessing" and self.template is None:
                self.template = fields(
                    step, "post_processor", type=..., single=..., pair=..., special_tokens=...
                )
                self._check_template(pipeline)
            else:
                raise ValueError(
                    f"post_processor: the type {step.get('type')!r} is not supported; "
                    "supported: ByteLevel, TemplateProcessing (once), Sequence"
                )

    def _check_template(self, pipeline: Pipeline) -> None:
        assert self.template is not None
        for form in ("single", "pair"):
            for item in self.template[form]:
                if (
                    "SpecialToken" in item
                    and item["SpecialToken"]["id"] not in self.template["special_tokens"]
                ):
                    raise ValueError(
                        f"post_processor: {item['SpecialToken']['id']!r} is not among its special_tokens"
                    )
        for name, token in self.template["special_tokens"].items():
            for id in token["ids"]:
                if id not in pipeline.vocabulary:
                    raise ValueError(f"post_processor: the id {id} of {name!r} is not in the vocabulary")

    def __call__(self, first: Encoding, second: Encoding | None, add_special_tokens: bool) -> Encoding:
        for step in self.steps:
            first, second = step(first), second and step(second)
        if self.template is None or not add_special_tokens:
            ones = () if second is None else (1,) * len(second.ids)
            return (
                first if second is None else first + Encoding(second.ids, second.tokens, second.offsets, ones)
            )
        result = NOTHING
        for item in self.template["single" if second is None else "pair"]:
            if "Sequence" in item:
                source = first if item["Sequence"]["id"] == "A" else second or NOTHING
                types = (item["Sequence"]["type_id"],) * len(source.ids)
                result += Encoding(source.ids, source.tokens, source.offsets, types)
            else:
                token = self.template["special_tokens"][item["SpecialToken"]["id"]]
                n = len(token["ids"])
                types = (item["SpecialToken"]["type_id"],) * n
                result += Encoding(tuple(token["ids"]), tuple(token["tokens"]), ((0, 0),) * n, types)
        return result


def _trimmer(add_prefix_space: bool) -> Callable[[Encoding], Encoding]:
    def trim(encoding: Encoding) -> Encoding:
        return Encoding(
            encoding.ids,
            encoding.tokens,
            tuple(trim_offsets(encoding.tokens, encoding.offsets, add_prefix_space)),
            encoding.type_ids,
        )

    return trim
