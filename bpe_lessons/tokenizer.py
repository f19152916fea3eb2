"""A tokenizer as a value: merges, alphabet, pattern and special tokens; everything else is derived."""

import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import regex

from bpe_lessons import lesson
from bpe_lessons.lesson import Pair, Step, Vocabulary
from bpe_lessons.split import count, find_pattern, name_of, split
from bpe_lessons.text import read, to_bytes, write

FORMAT = "bpe-lessons tokenizer 1"


@dataclass(frozen=True)
class Tokenizer:
    """Byte-level BPE. Ids: the 256 bytes in the order of `alphabet`, the merges, the special tokens."""

    merges: tuple[Pair, ...]
    pattern: str = "gpt4"
    special_tokens: tuple[str, ...] = ()
    alphabet: str = "bytes"
    stopped: str = field(default="", compare=False)  # why training ended

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the way a frozen dataclass normalizes its own fields
        set_field(self, "merges", tuple((left, right) for left, right in self.merges))
        set_field(self, "pattern", find_pattern(self.pattern))
        set_field(self, "special_tokens", tuple(self.special_tokens))
        lesson.byte_order(self.alphabet)
        seen = set()
        for rank, pair in enumerate(self.merges):
            for id in pair:
                if not isinstance(id, int) or isinstance(id, bool) or not 0 <= id < 256 + rank:
                    raise ValueError(
                        f"merges[{rank}] {list(pair)}: no id {id!r} exists before it (0 to {255 + rank})"
                    )
            if pair in seen:
                raise ValueError(f"merges[{rank}] {list(pair)} is there twice")
            seen.add(pair)
        for index, token in enumerate(self.special_tokens):
            if not isinstance(token, str) or not token or token in self.special_tokens[:index]:
                raise ValueError(f"special_tokens[{index}] {token!r} is empty, there twice or not a string")
            to_bytes(token)

    @classmethod
    def train(
        cls,
        text: str | Mapping[str, int],
        vocab_size: int | None = None,
        merges: int | None = None,
        *,
        pattern: str = "gpt4",
        ties: str = "first",
        alphabet: str = "bytes",
        min_frequency: int = 1,
        special_tokens: Iterable[str] = (),
        on_step: Callable[[Step], object] | None = None,
    ) -> "Tokenizer":
        """A tokenizer trained on a text, or on pieces with counts.

        Say how large by `vocab_size` (256 bytes + merges + special tokens) or by `merges`. Learning fewer,
        because no pair is left, is no error: `stopped` says so. `on_step` is called after each merge.
        Raises ValueError for a size below the floor and for an unknown tie rule, alphabet or pattern.
        """
        special_tokens = tuple(special_tokens)
        if (vocab_size is None) == (merges is None):
            raise ValueError("give either vocab_size or merges")
        if vocab_size is not None:
            merges = vocab_size - 256 - len(special_tokens)
            if merges < 0:
                few = f"{len(special_tokens)} special token" + "s" * (len(special_tokens) != 1)
                floor = f"{256 + len(special_tokens)} = 256 bytes + {few}"
                raise ValueError(f"vocab_size {vocab_size} is below the floor of {floor}")
        assert merges is not None
        if merges < 0:
            raise ValueError(f"merges is {merges}; it cannot be negative")
        if min_frequency < 1:
            raise ValueError(f"min_frequency is {min_frequency}; a pair that never occurs cannot be merged")
        lesson.byte_order(alphabet)
        lesson.choose([(0, 0)], {0: b""}, ties)
        if isinstance(text, str):
            to_bytes(text)
            text = count(text, pattern)
        corpus, start = lesson.spell(text, alphabet)
        learned = lesson.learn(lesson.train(corpus, start, merges, ties, min_frequency), on_step)
        return cls(tuple(learned.merges), pattern, special_tokens, alphabet, learned.stopped)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Every token: id -> bytes."""
        start = {id: bytes([byte]) for id, byte in enumerate(lesson.byte_order(self.alphabet))}
        vocabulary = lesson.grow(self.merges, start)
        for token in self.special_tokens:
            vocabulary[len(vocabulary)] = to_bytes(token)
        return vocabulary

    @cached_property
    def rules(self) -> dict[Pair, int]:
        """The merges as an encoder uses them: pair -> id, earliest learned first."""
        return lesson.numbered(self.merges)

    @cached_property
    def special_ids(self) -> dict[str, int]:
        """Each special token -> its id."""
        return {token: id for id, token in enumerate(self.special_tokens, 256 + len(self.merges))}

    @cached_property
    def _byte_ids(self) -> list[int]:
        return sorted(range(256), key=lesson.byte_order(self.alphabet).__getitem__)

    def __len__(self) -> int:
        """The size of the vocabulary, special tokens included."""
        return 256 + len(self.merges) + len(self.special_tokens)

    def __repr__(self) -> str:
        parts = ["256 bytes", f"{len(self.merges):,} merges"]
        if self.special_tokens:
            parts.append(f"{len(self.special_tokens)} special")
        return f"<Tokenizer of {len(self):,} tokens ({' + '.join(parts)}), pattern {name_of(self.pattern)!r}>"

    def encode(self, text: str, special: str = "raise") -> list[int]:
        """The ids of a text.

        A special token spelled out in the text is refused (`raise`), read as ordinary text (`text`) or
        taken for the special token (`special`). Raises ValueError for that and for lone surrogates.
        """
        if special not in ("raise", "text", "special"):
            raise ValueError(f"unknown policy {special!r}; known: raise, text, special")
        to_bytes(text)
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        for part in self._cut_at_special(text) if special != "text" else [text]:
            if part in self.special_ids and special == "special":
                ids.append(self.special_ids[part])
                continue
            if part in self.special_ids and special == "raise":
                raise ValueError(
                    f"the text spells the special token {part!r} at character {text.index(part)}; "
                    "say special='text' to read it as text or special='special' to mean the token"
                )
            for piece in split(part, self.pattern):
                if piece not in known:
                    known[piece] = lesson.encode(
                        [self._byte_ids[byte] for byte in piece.encode()], self.rules
                    )
                ids += known[piece]
        return ids

    def _cut_at_special(self, text: str) -> list[str]:
        """The text cut at special tokens, leftmost first and the longest of those that start together."""
        if not self.special_tokens:
            return [text]
        longest_first = sorted(self.special_tokens, key=len, reverse=True)
        parts: list[str] = regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)
        return parts

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of the ids, exactly. Raises ValueError that names an id which does not exist."""
        return lesson.decode_bytes(map(self._known_id, ids), self.vocabulary)

    def decode(self, ids: Iterable[int], errors: str = "replace") -> str:
        """The text of the ids. Bytes that are not UTF-8 become U+FFFD, or as Python's `errors` says."""
        return self.decode_bytes(ids).decode("utf-8", errors)

    def decode_stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Yield the text each id completes, as it comes, and what is left at the end.

        A character is held back until its last byte is there.
        """
        return lesson.stream(map(self._known_id, ids), self.vocabulary)

    def _known_id(self, id: Any) -> int:
        try:
            number = operator.index(id)
        except TypeError:
            raise ValueError(f"{id!r} is not an id; ids are whole numbers") from None
        if isinstance(id, bool) or number not in self.vocabulary:
            raise ValueError(f"id {id} is not in the vocabulary (0 to {len(self) - 1})")
        return number

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write one JSON file, whole or not at all. An existing file is kept unless `overwrite`."""
        head = {
            "format": FORMAT,
            "alphabet": self.alphabet,
            "pattern": self.pattern,
            "special_tokens": self.special_tokens,
            "stopped": self.stopped,
        }
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        merges = ",\n".join(f"[{left}, {right}]" for left, right in self.merges)
        text = "{\n" + ",\n".join([*lines, f'"merges": [\n{merges}\n]']) + "\n}\n"
        write(path, text.encode(), overwrite)

    @classmethod
    def load(cls, path: str | Path) -> "Tokenizer":
        """The tokenizer of a file that `save` wrote. Raises ValueError naming the line or key at fault."""
        try:
            data = json.loads(read(path), object_pairs_hook=_unique)
            return cls(**_checked(data))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}: line {error.lineno}: {error.msg}") from None
        except RecursionError:
            raise ValueError(f"{path}: nested too deep") from None
        except ValueError as error:
            raise ValueError(error if str(error).startswith(str(path)) else f"{path}: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for index, (key, _) in enumerate(pairs):
        if key in dict(pairs[:index]):
            raise ValueError(f"the key {key!r} is there twice")
    return dict(pairs)


def _checked(data: Any) -> dict[str, Any]:
    """The fields of a saved tokenizer, each of its right kind."""
    kinds = {
        "format": str,
        "alphabet": str,
        "pattern": str,
        "special_tokens": list,
        "stopped": str,
        "merges": list,
    }
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"the key 'format' is not {FORMAT!r}: not a tokenizer saved by this package")
    for key in [*kinds, *data]:
        if key not in data:
            raise ValueError(f"the key {key!r} is missing")
        if key not in kinds:
            raise ValueError(f"the key {key!r} is unknown")
        if not isinstance(data[key], kinds[key]):
            raise ValueError(f"the key {key!r} is not a {kinds[key].__name__}")
    for rank, pair in enumerate(data["merges"]):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError(f"merges[{rank}] {pair!r} is not a pair of ids")
    return {key: value for key, value in data.items() if key != "format"}
