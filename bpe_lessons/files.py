"""The files other tools write: rank files, merges.txt with vocab.json, minbpe models, tokenizer.json."""

import base64
import gzip
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bpe_lessons import engine, lesson
from bpe_lessons.glyphs import to_glyphs
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.split import find_pattern
from bpe_lessons.text import LARGEST, naming, read, read_json, write
from bpe_lessons.tokenizer import Merge, Tokenizer

LARGEST_ID = 10_000_000


# Rank files (.tiktoken): a token in base64 and its rank on each line


def read_ranks(path: str | Path) -> dict[bytes, int]:
    """The ranks of a .tiktoken file, plain or gzipped: token -> rank, which is also its id. Gaps are legal.

    Raises ValueError with the line number for anything but `base64 rank`, and for a token or a rank that
    is there twice.
    """
    with naming(path):
        return parse_ranks(unpack(Path(path).read_bytes()))


def unpack(data: bytes) -> bytes:
    """The data, unzipped if it is gzip. Raises ValueError when that gives more than 200 MB."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(data)) as zipped:
                data = zipped.read(LARGEST + 1)
        except (OSError, EOFError) as error:
            raise ValueError(f"a damaged gzip file: {error}") from None
    if len(data) > LARGEST:
        raise ValueError(f"larger than {LARGEST:,} bytes")
    return data


def parse_ranks(data: bytes) -> dict[bytes, int]:
    """The ranks in the bytes of a .tiktoken file: token -> rank. Raises ValueError with the line number."""
    ranks: dict[bytes, int] = {}
    seen: set[int] = set()
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n") if data else [], 1):
        parts = re.fullmatch(rb"([A-Za-z0-9+/]+={0,2}) (0|[1-9][0-9]{0,7})\r?", line)
        if not parts:
            raise ValueError(f"line {number}: not `base64 rank`: {line[:40]!r}")
        try:
            token = base64.b64decode(parts[1], validate=True)
        except ValueError:
            token = b""
        if base64.b64encode(token) != parts[1]:
            raise ValueError(f"line {number}: {parts[1].decode()!r} is not base64")
        rank = int(parts[2])
        if rank > LARGEST_ID:
            raise ValueError(f"line {number}: the rank {rank} is over {LARGEST_ID:,}")
        if token in ranks or rank in seen:
            raise ValueError(f"line {number}: the {'token' if token in ranks else 'rank'} is there twice")
        ranks[token] = rank
        seen.add(rank)
    return ranks


def recover_merges(ranks: Mapping[bytes, int]) -> tuple[str, list[Merge]]:
    """The start alphabet and the merges behind a full table of ranks.

    A token is cut by the tokens of lower rank. Two parts are the pair that made it; where there are more,
    the token stands for itself (see `Merge`). Raises ValueError for ranks with gaps, or when the first 256
    are not the single bytes in the order of an alphabet.
    """
    tokens = sorted(ranks, key=ranks.__getitem__)
    if [ranks[token] for token in tokens] != list(range(len(tokens))):
        raise ValueError("the ranks have gaps: not a full table of ranks")
    for alphabet in ("bytes", "glyphs"):
        if tokens[:256] == [bytes([byte]) for byte in lesson.byte_order(alphabet)]:
            break
    else:
        raise ValueError("the ranks 0 to 255 are not the 256 bytes by value or in the order of their glyphs")
    merges: list[Merge] = []
    for rank, token in enumerate(tokens[256:], 256):
        parts = engine.merge_by_rank(token, ranks, below=rank)
        merges.append((ranks[parts[0]], ranks[parts[1]]) if len(parts) == 2 else token)
    return alphabet, merges


def from_ranks(
    ranks: Mapping[bytes, int],
    pattern: str | tuple[str, ...],
    special_tokens: Mapping[str, int],
    normalization: str = "none",
) -> Tokenizer:
    """The tokenizer of a full table of ranks; like tiktoken it looks whole pieces up first."""
    alphabet, merges = recover_merges(ranks)
    return Tokenizer(tuple(merges), pattern, special_tokens, alphabet, normalization, whole_pieces=True)


def write_ranks(tokenizer: Tokenizer, path: str | Path, overwrite: bool = False) -> None:
    """Write the tokens as a .tiktoken file; pattern and special tokens have no place in it.

    Raises ValueError when two tokens are spelled alike.
    """
    tokens = [tokenizer.vocabulary[id] for id in range(256 + len(tokenizer.merges))]
    if len(set(tokens)) < len(tokens):
        raise ValueError("two tokens are spelled alike, which a rank file cannot hold")
    lines = (base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    write(path, b"".join(lines), overwrite)


# merges.txt and vocab.json, as GPT-2 published them


def read_merges(merges: str | Path, vocab: str | Path, pattern: str = "gpt2") -> Tokenizer:
    """The tokenizer of a merges.txt (vocab.bpe) and its vocab.json (encoder.json).

    Raises ValueError with the line number of a bad merge, and when the ids in vocab.json are not those of
    the 256 glyphs, the merges, and special tokens, in this order.
    """
    rules = parse_merges(read(merges), merges)
    with naming(vocab):
        return from_merges(rules, read_json(vocab), pattern)


def parse_merges(text: str, name: str | Path = "merges.txt") -> list[tuple[str, str]]:
    """The pairs of glyph strings in a merges.txt; a first line `#version...` is no merge."""
    lines = text.removesuffix("\n").split("\n") if text else []
    first = 2 if lines and lines[0].startswith("#version") else 1
    pairs = []
    for number, line in enumerate(lines[first - 1 :], first):
        parts = line.removesuffix("\r").split(" ")
        if len(parts) != 2 or not all(parts):
            raise ValueError(f"{name}: line {number}: not two tokens with a space between: {line[:40]!r}")
        pairs.append((parts[0], parts[1]))
    return pairs


def from_merges(rules: list[tuple[str, str]], vocab: Any, pattern: str = "gpt2") -> Tokenizer:
    """The tokenizer of pairs of glyph strings and of a table glyphs -> id."""
    if not isinstance(vocab, dict) or not all(type(id) is int for id in vocab.values()):
        raise ValueError("not a table from tokens to ids")
    alphabet = next(
        (
            name
            for name in ("glyphs", "bytes")
            if vocab.get(to_glyphs(bytes([lesson.byte_order(name)[1]]))) == 1
        ),
        "glyphs",
    )
    expected = [to_glyphs(bytes([byte])) for byte in lesson.byte_order(alphabet)]
    expected += [left + right for left, right in rules]
    for id, token in enumerate(expected):
        if vocab.get(token) != id:
            raise ValueError(
                f"the token {token!r} has the id {vocab.get(token)}, not {id}, its place in the merges"
            )
    merges = [(vocab[left], vocab[right]) for left, right in rules]
    special = {token: id for token, id in vocab.items() if id >= len(expected)}
    return Tokenizer(tuple(merges), pattern, special, alphabet)


def write_merges(
    tokenizer: Tokenizer, merges: str | Path, vocab: str | Path, overwrite: bool = False
) -> None:
    """Write merges.txt and vocab.json, which hold neither the pattern nor whether whole pieces count."""
    rows = "".join(f"{left} {right}\n" for left, right in glyph_pairs(tokenizer))
    table = json.dumps(glyph_ids(tokenizer), ensure_ascii=False, indent=0)
    write(merges, f"#version: 0.2\n{rows}".encode(), overwrite)
    write(vocab, f"{table}\n".encode(), overwrite)


def glyph_pairs(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """The merges as pairs of glyph strings, in order; a token without a pair gives every cut into two."""
    names = {id: to_glyphs(token) for id, token in tokenizer.vocabulary.items()}
    ranked = sorted(tokenizer.rules.items(), key=lambda rule: rule[1])
    return [(names[left], names[right]) for (left, right), _ in ranked]


def glyph_ids(tokenizer: Tokenizer) -> dict[str, int]:
    """The table glyphs -> id, special tokens as they are written. ValueError when two are spelled alike."""
    special = tokenizer.special_ids
    ids = {to_glyphs(token): id for id, token in tokenizer.vocabulary.items() if id not in special.values()}
    if len(ids) + len(special) < len(tokenizer) or set(ids) & set(special):
        raise ValueError("two tokens are spelled alike, which a table of tokens cannot hold")
    return ids | special


# minbpe's .model: pattern, special tokens, and the merges as pairs of ids


def read_minbpe(path: str | Path) -> Tokenizer:
    """The tokenizer of a minbpe .model file. Raises ValueError with the line number."""
    lines = read(path).removesuffix("\n").split("\n")
    with naming(path):
        if lines[0] != "minbpe v1":
            raise ValueError("line 1: not 'minbpe v1'")
        if len(lines) < 3 or not re.fullmatch("[0-9]{1,6}", lines[2]) or len(lines) < 3 + int(lines[2]):
            raise ValueError("line 3: not the number of special tokens that follow")
        start = 3 + int(lines[2])
        special = {}
        for number, line in enumerate(lines[3:start], 4):
            token, _, id = line.rpartition(" ")
            if not token or not re.fullmatch("[0-9]{1,8}", id):
                raise ValueError(f"line {number}: not a special token and its id")
            special[token] = int(id)
        merges = []
        for number, line in enumerate(lines[start:], start + 1):
            if not re.fullmatch("[0-9]{1,8} [0-9]{1,8}", line):
                raise ValueError(f"line {number}: not a pair of ids")
            left, right = line.split()
            merges.append((int(left), int(right)))
        return Tokenizer(tuple(merges), lines[1] or "none", special)


def write_minbpe(tokenizer: Tokenizer, path: str | Path, overwrite: bool = False) -> None:
    """Write a minbpe .model file. Raises ValueError for what it has no place for."""
    pattern = find_pattern(tokenizer.pattern)
    texts = [*pattern, *tokenizer.special_ids]
    if tokenizer.alphabet != "bytes" or tokenizer.normalization != "none":
        raise ValueError("a .model file has bytes by value and no normalization")
    if len(pattern) > 1 or any("\n" in text or "\r" in text for text in texts):
        raise ValueError("a .model file holds one pattern, and no line breaks in pattern or special tokens")
    if any(isinstance(merge, bytes) for merge in tokenizer.merges):
        raise ValueError("a .model file holds pairs only, and a token here has none")
    special = [f"{token} {id}" for token, id in tokenizer.special_ids.items()]
    pairs = [f"{merge[0]} {merge[1]}" for merge in tokenizer.merges]
    lines = ["minbpe v1", pattern[0], str(len(special)), *special, *pairs]
    write(path, ("\n".join(lines) + "\n").encode(), overwrite)


# tokenizer.json, Hugging Face's format


def read_tokenizer_json(path: str | Path) -> Pipeline:
    """The pipeline of a tokenizer.json. Raises ValueError naming what is wrong or not supported."""
    with naming(path):
        return Pipeline.from_json(read_json(path))


def to_tokenizer_json(tokenizer: Tokenizer) -> dict[str, Any]:
    """The content of a tokenizer.json that gives the same ids (merges as pairs)."""
    splits = [
        {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}
        for expression in find_pattern(tokenizer.pattern)
    ]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    special = tokenizer.special_ids
    vocab = {token: id for token, id in glyph_ids(tokenizer).items() if token not in special}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": id, "content": token, **flags, "special": True}
            for token, id in sorted(special.items(), key=lambda item: item[1])
        ],
        "normalizer": None if tokenizer.normalization == "none" else {"type": tokenizer.normalization},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, byte_level]},
        "post_processor": None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": tokenizer.whole_pieces,
            "vocab": vocab,
            "merges": [list(pair) for pair in glyph_pairs(tokenizer)],
        },
    }


def write_tokenizer_json(tokenizer: Tokenizer, path: str | Path, overwrite: bool = False) -> None:
    """Write a tokenizer.json that Hugging Face's library loads and that gives the same ids there."""
    content = json.dumps(to_tokenizer_json(tokenizer), ensure_ascii=False, indent=1)
    write(path, f"{content}\n".encode(), overwrite)
