"""A tokenizer as a value: merges, alphabet, pattern, special tokens, a few choices; all else is derived."""

import json
import operator
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import regex

from bpe_lessons import engine, lesson
from bpe_lessons.lesson import Pair, Vocabulary
from bpe_lessons.split import find_pattern, name_of, split
from bpe_lessons.text import naming, read_json, refused, to_bytes, write

FORMAT = "bpe-lessons tokenizer 1"
NORMALIZATIONS: dict[str, Callable[[str], str]] = {
    "none": str,
    "NFC": partial(unicodedata.normalize, "NFC"),
    "NFKC": partial(unicodedata.normalize, "NFKC"),
}
# The pair that makes a token, or the token's bytes where no pair of earlier tokens does: then every way to
# cut it into two tokens is a merge of its rank. (Published rank files hold such tokens: 232 in Qwen3.5.)
Merge = Pair | bytes


@dataclass(frozen=True)
class Tokenizer:
    """Byte-level BPE. Ids: the 256 bytes in the order of `alphabet`, the merges, and the special tokens.

    Special tokens are given as a mapping token -> id, or as a list to be numbered behind the merges.
    `whole_pieces` looks a whole piece up in the vocabulary before any merge, as tiktoken does.
    `normalization` (none, NFC or NFKC) is applied to the text first: decoding then gives the normalized text.
    """

    merges: tuple[Merge, ...]
    pattern: str | tuple[str, ...] = "gpt4"
    special_tokens: Any = ()  # kept as ((token, id), ...)
    alphabet: str = "bytes"
    normalization: str = "none"
    whole_pieces: bool = False
    stopped: str = field(default="", compare=False)  # why training ended
    # Learned by `train`: then every token is made from its own bytes alone, so a piece that is a token as a
    # whole is encoded as that token, and looking it up first changes nothing but the time.
    _learned: bool = field(default=False, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the way a frozen dataclass normalizes its own fields
        merges = tuple(_merge(merge, rank) for rank, merge in enumerate(self.merges))
        set_field(self, "merges", merges)
        set_field(self, "pattern", find_pattern(self.pattern))
        special = _special_tokens(self.special_tokens, 256 + len(merges))
        set_field(self, "special_tokens", special)
        if self.alphabet not in ("bytes", "glyphs"):
            raise ValueError(f"unknown alphabet {self.alphabet!r}; known: bytes, glyphs")
        if self.normalization not in NORMALIZATIONS:
            raise ValueError(
                f"unknown normalization {self.normalization!r}; known: {', '.join(NORMALIZATIONS)}"
            )
        if not isinstance(self.stopped, str):
            raise ValueError(f"stopped {self.stopped!r} is not a text")
        if len(set(merges)) < len(merges):
            again = next(rank for rank, merge in enumerate(merges) if merge in merges[:rank])
            raise ValueError(f"merges[{again}] {_shown(merges[again])} is there twice")

    @classmethod
    def train(
        cls,
        text: str | Mapping[str, int],
        vocab_size: int | None = None,
        merges: int | None = None,
        *,
        pattern: str | tuple[str, ...] = "gpt4",
        ties: str = "first",
        alphabet: str = "bytes",
        min_frequency: int = 1,
        special_tokens: Iterable[str] = (),
        normalization: str = "none",
        processes: int = 1,
        on_merge: Callable[[int], object] | None = None,
    ) -> "Tokenizer":
        """A tokenizer trained on a text, or on pieces with counts.

        Say how large by `vocab_size` (256 bytes + merges + special tokens) or by `merges`. Learning fewer,
        because no pair is left, is no error: `stopped` says so. A text is cut at special tokens, which are
        no part of the training. Counting may use several `processes`; the answer is the same. `on_merge` is
        called after each merge with the number of merges; Ctrl-C ends the training and keeps them.
        Raises ValueError for a size below the floor, for special tokens with ids of their own, and for an
        unknown tie rule, alphabet or pattern.
        """
        if isinstance(special_tokens, Mapping):
            raise ValueError("training numbers the special tokens itself, behind the merges; give a list")
        untrained = cls((), pattern, special_tokens, alphabet, normalization)
        merges = _merges_to_learn(vocab_size, merges, len(untrained.special_tokens))
        if min_frequency < 1:
            raise ValueError(f"min_frequency is {min_frequency}; a pair that never occurs cannot be merged")
        pieces = untrained._count(text, processes) if isinstance(text, str) else _counts(text)
        rows = engine.spell(pieces, lesson.byte_order(alphabet))
        learned = engine.train(rows, untrained._start(), merges, ties, min_frequency, on_merge)
        special = [token for token, _ in untrained.special_tokens]
        choices = pattern, special, alphabet, normalization
        return cls(tuple(learned.merges), *choices, stopped=learned.stopped)._trust(True)

    def _trust(self, learned: bool) -> "Tokenizer":
        object.__setattr__(self, "_learned", learned)
        return self

    def _count(self, text: str, processes: int) -> dict[str, int]:
        to_bytes(text)
        parts = _cut_at(text, [token for token, _ in self.special_tokens])[::2]
        return engine.add_up(engine.count(self.normalize(part), self.pattern, processes) for part in parts)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Every token: id -> bytes."""
        vocabulary = self._start()
        for merge in self.merges:
            token = merge if isinstance(merge, bytes) else vocabulary[merge[0]] + vocabulary[merge[1]]
            vocabulary[len(vocabulary)] = token
        for special, id in self.special_tokens:
            vocabulary[id] = to_bytes(special)
        return vocabulary

    def _start(self) -> Vocabulary:
        return {id: bytes([byte]) for id, byte in enumerate(lesson.byte_order(self.alphabet))}

    @cached_property
    def token_ids(self) -> dict[bytes, int]:
        """Each token that is not special -> its id (the lowest, should two be spelled alike)."""
        ids: dict[bytes, int] = {}
        for id in range(256 + len(self.merges)):
            ids.setdefault(self.vocabulary[id], id)
        return ids

    @cached_property
    def rules(self) -> dict[Pair, int]:
        """The merges as an encoder uses them: pair -> id, earliest learned first."""
        rules: dict[Pair, int] = {}
        for id, merge in enumerate(self.merges, 256):
            if isinstance(merge, bytes):
                for i in range(1, len(merge)):
                    if merge[:i] in self.token_ids and merge[i:] in self.token_ids:
                        rules[self.token_ids[merge[:i]], self.token_ids[merge[i:]]] = id
            else:
                rules[merge] = id
        return rules

    @cached_property
    def special_ids(self) -> dict[str, int]:
        """Each special token -> its id."""
        return dict(self.special_tokens)

    @cached_property
    def _byte_ids(self) -> bytes:
        """The id of each byte, as a table for bytes.translate."""
        return bytes(sorted(range(256), key=lesson.byte_order(self.alphabet).__getitem__))

    def __len__(self) -> int:
        """The number of tokens, special ones included."""
        return 256 + len(self.merges) + len(self.special_ids)

    def __repr__(self) -> str:
        parts = ["256 bytes", f"{len(self.merges):,} merges"]
        if self.special_ids:
            parts.append(f"{len(self.special_ids)} special")
        pattern = name_of(find_pattern(self.pattern))
        return f"<Tokenizer of {len(self):,} tokens ({' + '.join(parts)}), pattern {pattern!r}>"

    def normalize(self, text: str) -> str:
        """The text as this tokenizer sees it: what decoding its ids gives back."""
        return NORMALIZATIONS[self.normalization](text)

    def truncate(self, vocab_size: int) -> "Tokenizer":
        """The tokenizer that training to a smaller `vocab_size` would have given: merges only add to the end.

        Its special tokens are numbered anew, behind the merges that are left. Raises ValueError for more
        tokens than there are, and below 256 bytes + special tokens.
        """
        keep = _merges_to_learn(vocab_size, None, len(self.special_tokens))
        if keep > len(self.merges):
            raise ValueError(f"vocab_size {vocab_size} is more than the {len(self)} tokens there are")
        special = tuple(token for token, _ in self.special_tokens)
        smaller = replace(self, merges=self.merges[:keep], special_tokens=special, stopped="size reached")
        return smaller._trust(self._learned)

    def encode(
        self,
        text: str,
        special: str = "raise",
        allowed: Iterable[str] = (),
        dropout: float = 0.0,
        seed: int = 0,
    ) -> list[int]:
        """The ids of a text.

        A special token spelled out in the text is refused (`raise`), read as ordinary text (`text`) or
        taken for the special token (`special`); the tokens in `allowed` are always taken for themselves.
        Where several begin at one place the longest counts. `dropout` leaves out each merge with that
        probability each time it could be made, for training a model on many cuts of one text; the same
        `seed` gives the same cut. Raises ValueError for a refused token, for a name in `allowed` that is
        none, for lone surrogates, and for a `dropout` outside 0 to 1.
        """
        if special not in ("raise", "text", "special"):
            raise ValueError(f"unknown policy {special!r}; known: raise, text, special")
        if not isinstance(text, str):
            raise ValueError(f"encode takes a text, not {type(text).__name__}; decode bytes first")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout is {dropout}; it is a probability, 0 to 1")
        encode: Callable[[str], Iterable[int]] = self._encoder.encode
        if dropout:
            encode = partial(self._dropping, dropout=dropout, random=Random(seed))
        allowed = set(allowed)
        if unknown := sorted(allowed - set(self.special_ids)):
            raise ValueError(f"{unknown[0]!r} is no special token of this tokenizer")
        to_bytes(text)
        parts = _cut_at(text, allowed if special == "text" else self.special_ids)
        ids: list[int] = []
        for index, part in enumerate(parts):
            if index % 2 == 0:
                ids += encode(self.normalize(part))
            elif special == "raise" and part not in allowed:
                raise refused(part, sum(map(len, parts[:index])))
            else:
                ids.append(self.special_ids[part])
        return ids

    def _dropping(self, text: str, dropout: float, random: Random) -> Iterator[int]:
        for piece in split(text, self.pattern):
            symbols = piece.encode().translate(self._byte_ids)
            yield from lesson.encode_with_dropout(symbols, self.rules, dropout, random)

    def encode_batch(self, texts: Iterable[str], processes: int = 1, **how: Any) -> list[list[int]]:
        """The ids of several texts, in order; `how` is passed on to `encode`.

        The answer is the same for any number of processes.
        """
        if processes <= 1:
            return [self.encode(text, **how) for text in texts]
        with engine.workers(processes, _Worker.begin, (self, how)) as pool:
            return [ids.tolist() for ids in pool.map(_Worker.encode, texts)]

    def encode_iterable(self, chunks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that arrives in chunks, however it is chunked, special tokens as text.

        Memory holds one chunk, the longest stretch without a safe place (see `engine.Cutter`), and the ids of
        the commonest pieces.
        """
        return self._encoder.encode_iterable(map(_checked_text, self._normalized(chunks)))

    def _normalized(self, chunks: Iterable[str]) -> Iterator[str]:
        if self.normalization == "none":
            return iter(chunks)
        return map(self.normalize, engine.Cutter(find_pattern(self.pattern)).of_chunks(chunks))

    @cached_property
    def _encoder(self) -> engine.Encoder:
        cutter = engine.Cutter(find_pattern(self.pattern))
        whole = self.token_ids if self.whole_pieces or self._learned else {}
        return engine.Encoder(cutter, self._byte_ids, self.rules, whole)

    def __reduce__(self) -> Any:
        """Pickled as what it is made from, without the caches."""
        made_from = tuple(getattr(self, part.name) for part in fields(self) if part.init)
        return type(self), made_from, {"_learned": self._learned}

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
            raise ValueError(f"id {id} is not in the vocabulary (0 to {max(self.vocabulary)})")
        return number

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write one JSON file, whole or not at all. An existing file is kept unless `overwrite`."""
        head = {
            "format": FORMAT,
            "alphabet": self.alphabet,
            "pattern": self.pattern,
            "normalization": self.normalization,
            "whole_pieces": self.whole_pieces,
            "special_tokens": self.special_ids,
            "stopped": self.stopped,
        }
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        rows = (
            f'"{merge.hex()}"' if isinstance(merge, bytes) else f"[{merge[0]}, {merge[1]}]"
            for merge in self.merges
        )
        text = "{\n" + ",\n".join([*lines, '"merges": [\n' + ",\n".join(rows) + "\n]"]) + "\n}\n"
        write(path, text.encode(), overwrite)

    @classmethod
    def load(cls, path: str | Path) -> "Tokenizer":
        """The tokenizer of a file that `save` wrote. Raises ValueError naming the line or key at fault."""
        with naming(path):
            return cls(**_checked(read_json(path)))


class _Worker:
    """What a process of `encode_batch` keeps: one tokenizer with its cache, instead of one for each text."""

    tokenizer: Tokenizer
    how: dict[str, Any]

    @classmethod
    def begin(cls, tokenizer: Tokenizer, how: dict[str, Any]) -> None:
        cls.tokenizer, cls.how = tokenizer, how

    @classmethod
    def encode(cls, text: str) -> Any:
        return np.array(cls.tokenizer.encode(text, **cls.how), dtype=np.int64)


def _checked_text(text: str) -> str:
    to_bytes(text)
    return text


def _cut_at(text: str, tokens: Iterable[str]) -> list[str]:
    """The text cut at some tokens: text, token, text, ... The leftmost counts, then the longest."""
    longest_first = sorted(tokens, key=len, reverse=True)
    if not longest_first:
        return [text]
    parts: list[str] = regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)
    return parts


def _merges_to_learn(vocab_size: Any, merges: Any, special: int) -> int:
    if (vocab_size is None) == (merges is None):
        raise ValueError("give either vocab_size or merges")
    name, asked = ("merges", merges) if vocab_size is None else ("vocab_size", vocab_size)
    try:
        size = operator.index(asked)
    except TypeError:
        raise ValueError(f"{name} is {asked!r}, not a whole number") from None
    if name == "merges":
        if size < 0:
            raise ValueError(f"merges is {size}; it cannot be negative")
        return size
    if size < 256 + special:
        few = f"{special} special token" + "s" * (special != 1)
        raise ValueError(f"vocab_size {size} is below the floor of {256 + special} = 256 bytes + {few}")
    return size - 256 - special


def _merge(merge: Any, rank: int) -> Merge:
    """One merge as given, in its plain form. Raises ValueError when it cannot be one."""
    if isinstance(merge, bytes):
        if len(merge) < 2:
            raise ValueError(f"merges[{rank}] {merge.hex()!r} is a token of less than two bytes")
        return merge
    if not isinstance(merge, tuple | list) or len(merge) != 2:
        raise ValueError(f"merges[{rank}] {_shown(merge)} is not a pair of ids")
    pair = []
    for id in merge:
        number = -1 if isinstance(id, bool | float | str) else operator.index(id)
        if not 0 <= number < 256 + rank:
            before = f"no id {id!r} exists before it (0 to {255 + rank})"
            raise ValueError(f"merges[{rank}] {_shown(merge)}: {before}")
        pair.append(number)
    return pair[0], pair[1]


def _shown(merge: Any) -> str:
    return repr(list(merge) if isinstance(merge, tuple) else merge)


def _special_tokens(given: Any, first_free: int) -> tuple[tuple[str, int], ...]:
    """Special tokens as given (mapping, list, pairs) with their ids. Raises ValueError naming a bad one."""
    if isinstance(given, str):
        raise ValueError(f"special_tokens {given!r} is one text; give a list of them")
    found: dict[str, int] = {}
    rows = given.items() if isinstance(given, Mapping) else given
    for index, row in enumerate(rows):
        token, id = row if isinstance(row, tuple) else (row, first_free + index)
        where = f"special_tokens[{index}] {token!r}"
        if not isinstance(token, str) or not token or token in found:
            raise ValueError(f"{where} is empty, there twice or not a string")
        if not isinstance(id, int) or isinstance(id, bool) or id < first_free or id in found.values():
            raise ValueError(f"{where}: the id {id!r} is taken or not a whole number from {first_free} on")
        to_bytes(token)
        found[token] = id
    return tuple(found.items())


def _counts(pieces: Any) -> Mapping[str, int]:
    """Pieces with counts, checked. Raises ValueError naming what is neither a text nor a count."""
    if not isinstance(pieces, Mapping):
        raise ValueError(f"training takes a text or pieces with counts, not a {type(pieces).__name__}")
    for piece, n in pieces.items():
        if not isinstance(piece, str) or isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise ValueError(f"{piece!r}: {n!r} is not a piece with a count of 1 or more")
        to_bytes(piece)
    return pieces


def _checked(data: Any) -> dict[str, Any]:
    """The fields of a saved tokenizer, each of its right kind."""
    kinds = {
        "format": str,
        "alphabet": str,
        "pattern": list,
        "normalization": str,
        "whole_pieces": bool,
        "special_tokens": dict,
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
    if not data["pattern"] or not all(isinstance(expression, str) for expression in data["pattern"]):
        raise ValueError("the key 'pattern' is not a list of expressions")
    for rank, merge in enumerate(data["merges"]):
        if isinstance(merge, str):
            data["merges"][rank] = bytes.fromhex(merge)
    data["pattern"] = tuple(data["pattern"])
    return {key: value for key, value in data.items() if key != "format"}
