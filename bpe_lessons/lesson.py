"""The algorithms of the lessons in plain Python: readable first, and the specification of anything faster.

Source of the method: Gage (1994) for the loop, Sennrich, Haddow and Birch (2016) for words with counts.
"""

import codecs
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

Pair = tuple[int, int]
Corpus = list[tuple[list[int], int]]  # rows: the ids of one piece, how often the piece occurs
Vocabulary = dict[int, bytes]


# Lesson 01: text is bytes


def tail_byte(bits: int) -> int:
    """A continuation byte: 10 and the lowest six bits.

    >>> f"{tail_byte(0x4F60):08b}"
    '10100000'
    """
    return 0x80 | bits & 0x3F


def utf8(code_point: int) -> bytes:
    """The UTF-8 bytes (1 to 4) of one code point.

    Raises ValueError outside U+0000 to U+10FFFF and for the surrogates U+D800 to U+DFFF.
    Source: RFC 3629, section 3.

    >>> utf8(0x4F60).hex(" ")
    'e4 bd a0'
    """
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError(f"{code_point:#x} is not the code point of a character")
    if code_point < 0x80:
        return bytes([code_point])
    if code_point < 0x800:
        return bytes([0xC0 | code_point >> 6, tail_byte(code_point)])
    if code_point < 0x10000:
        return bytes([0xE0 | code_point >> 12, tail_byte(code_point >> 6), tail_byte(code_point)])
    tail = [tail_byte(code_point >> 12), tail_byte(code_point >> 6), tail_byte(code_point)]
    return bytes([0xF0 | code_point >> 18, *tail])


# Lesson 02: train by counting


@dataclass(frozen=True)
class Step:
    """One round of training: what was merged, and what it might have been."""

    pair: Pair
    new_id: int
    count: int
    tied: list[Pair]  # every pair with that count, in the order first seen; `pair` is one of them
    corpus: Corpus  # the rows after the merge


@dataclass(frozen=True)
class Learned:
    """A whole training: its merges, the count of each, and why it stopped."""

    merges: list[Pair]
    counts: list[int]
    stopped: str


def count_pairs(corpus: Corpus) -> dict[Pair, int]:
    """How often each pair of neighbours occurs in the corpus, in the order first seen.

    Every adjacent position counts: three equal ids hold two pairs.

    >>> count_pairs([([7, 7, 7], 1), ([7, 8], 5)])
    {(7, 7): 2, (7, 8): 5}
    """
    counts: dict[Pair, int] = {}
    for ids, count in corpus:
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def merge(ids: Sequence[int], pair: Pair, new_id: int) -> list[int]:
    """The ids with every occurrence of the pair replaced, left to right, without overlap.

    >>> merge([7, 7, 7, 8], (7, 7), 9)
    [9, 7, 8]
    """
    merged, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def choose(tied: list[Pair], vocabulary: Mapping[int, bytes], ties: str) -> Pair:
    """The pair that the tie rule takes from pairs of equal count, given in the order first seen.

    `first` takes the one seen first, `smallest` the smallest pair of ids, `greatest` the greatest pair
    of byte strings (equal spellings: the greater ids). Raises ValueError for any other rule.
    """
    if ties == "first":
        return tied[0]
    if ties == "smallest":
        return min(tied)
    if ties == "greatest":
        return max(tied, key=lambda pair: (vocabulary[pair[0]], vocabulary[pair[1]], pair))
    raise ValueError(f"unknown tie rule {ties!r}; known: first, smallest, greatest")


def train(
    corpus: Corpus, vocabulary: Mapping[int, bytes], merges: int, ties: str = "first", min_frequency: int = 1
) -> Generator[Step, None, str]:
    """Yield a Step for each merge learned; the generator returns why it stopped.

    It stops after `merges` rounds, or when no pair occurs `min_frequency` times. `vocabulary` holds the
    start alphabet (id -> bytes); the ids of merges follow on. Neither argument is changed.
    """
    vocabulary = dict(vocabulary)
    for new_id in range(len(vocabulary), len(vocabulary) + merges):
        counts = count_pairs(corpus)
        best = max(counts.values(), default=0)
        if best < min_frequency:
            return f"no pair occurs {min_frequency} times" if best else "no pair left"
        tied = [pair for pair, count in counts.items() if count == best]
        pair = choose(tied, vocabulary, ties)
        vocabulary[new_id] = vocabulary[pair[0]] + vocabulary[pair[1]]
        corpus = [(merge(ids, pair, new_id), count) for ids, count in corpus]
        yield Step(pair, new_id, best, tied, corpus)
    return "size reached"


def learn(steps: Generator[Step, None, str]) -> Learned:
    """Run a training to its end and keep what outlives it."""
    merges: list[Pair] = []
    counts: list[int] = []
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return Learned(merges, counts, end.value)
        merges.append(step.pair)
        counts.append(step.count)


PLAIN, MARK, GLUED = range(3)
Symbol = tuple[int, bytes]  # what kind of start symbol, and its spelling


def symbols(piece: str, alphabet: str = "bytes", marker: str = "", glued: bool = False) -> list[Symbol]:
    """The start symbols of one piece: its characters or its bytes, with the marker after or on the last.

    Two symbols spelled alike (a character and a marker, or a marker glued on) stay different symbols.
    """
    if alphabet == "characters":
        spelled = [(PLAIN, character.encode()) for character in piece]
    else:
        spelled = [(PLAIN, bytes([byte])) for byte in piece.encode()]
    if marker and glued and spelled:
        spelled[-1] = (GLUED, spelled[-1][1] + marker.encode())
    elif marker:
        spelled.append((MARK, marker.encode()))
    return spelled


def byte_order(alphabet: str) -> list[int]:
    """The 256 bytes in the order of their ids: by value (`bytes`) or by their Ġ-map character (`glyphs`).

    The Ġ map keeps 188 printable bytes and moves the other 68 behind them. Source: GPT-2's encoder.py.
    """
    if alphabet == "bytes":
        return list(range(256))
    if alphabet == "glyphs":
        return sorted(
            range(256), key=lambda byte: not (33 <= byte <= 126 or 161 <= byte <= 172 or byte >= 174)
        )
    raise ValueError(f"unknown alphabet {alphabet!r}; known: bytes, glyphs, characters")


def spell(
    pieces: Mapping[str, int], alphabet: str = "bytes", marker: str = "", glued: bool = False
) -> tuple[Corpus, Vocabulary]:
    """Pieces with counts as rows of ids, and the start alphabet (id -> bytes).

    `bytes` and `glyphs` start from all 256 bytes in that order, then markers. `characters` starts from
    the characters that occur, in code point order, the marker among them, glued symbols after them.
    """
    spelled = [(symbols(piece, alphabet, marker, glued), count) for piece, count in pieces.items()]
    seen = {symbol for row, _ in spelled for symbol in row}
    if alphabet == "characters":
        start = sorted(seen, key=lambda symbol: (symbol[0] == GLUED, symbol[1], symbol[0]))
    else:
        start = [(PLAIN, bytes([byte])) for byte in byte_order(alphabet)]
        start += sorted(seen.difference(start))
    ids = {symbol: i for i, symbol in enumerate(start)}
    corpus = [([ids[symbol] for symbol in row], count) for row, count in spelled]
    return corpus, {i: spelling for i, (_, spelling) in enumerate(start)}


# Lesson 03: encode and decode


def numbered(merges: Iterable[Pair], start: int = 256) -> dict[Pair, int]:
    """The rules of an encoder: pair -> id of the merged token, earliest learned first.

    >>> numbered([(116, 101), (256, 97)])
    {(116, 101): 256, (256, 97): 257}
    """
    return {pair: new_id for new_id, pair in enumerate(merges, start)}


def grow(merges: Iterable[Pair], alphabet: Mapping[int, bytes]) -> Vocabulary:
    """The whole vocabulary, id -> bytes: the start alphabet, then each merge spelled from its two parts."""
    vocabulary = dict(alphabet)
    for left, right in merges:
        vocabulary[len(vocabulary)] = vocabulary[left] + vocabulary[right]
    return vocabulary


def encode_in_order(ids: Sequence[int], rules: Mapping[Pair, int]) -> list[int]:
    """The ids after every rule has been applied once, in the order learned."""
    ids = list(ids)
    for pair, new_id in rules.items():
        ids = merge(ids, pair, new_id)
    return ids


def encode(ids: Sequence[int], rules: Mapping[Pair, int]) -> list[int]:
    """The ids after merging, as long as a rule applies, the pair whose rule was learned first.

    Equal to `encode_in_order` for rules that training produced. Source of the method: GPT-2's encoder.py.
    """
    ids = list(ids)
    while len(ids) > 1:
        pair = min(zip(ids, ids[1:]), key=lambda pair: rules.get(pair, float("inf")))
        if pair not in rules:
            break
        ids = merge(ids, pair, rules[pair])
    return ids


def decode_bytes(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> bytes:
    """The bytes that the ids stand for. Exact: nothing is lost or repaired."""
    return b"".join(vocabulary[id] for id in ids)


def decode(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> str:
    """The text that the ids stand for; bytes that are not UTF-8 become U+FFFD."""
    return decode_bytes(ids, vocabulary).decode("utf-8", errors="replace")


def stream(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> Iterator[str]:
    """Yield the text that each id completes, then what is left at the end.

    An unfinished character is held back until its last byte arrives. Joined, the parts are `decode(ids)`.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for id in ids:
        yield decoder.decode(vocabulary[id])
    yield decoder.decode(b"", final=True)


# Lesson 05: bytes you can print


def merge_by_rank(piece: bytes, ranks: Mapping[bytes, int], below: float = float("inf")) -> list[bytes]:
    """The tokens of a piece when the neighbours whose joined bytes have the lowest rank merge first.

    Only ranks less than `below` count. This needs no list of merges: a rank file, token -> rank, is enough.
    Source of the method: tiktoken.

    >>> merge_by_rank(b"abc", {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"ab": 4})
    [b'a', b'bc']
    """
    parts = [piece[i : i + 1] for i in range(len(piece))]
    while True:
        joins = [(ranks.get(left + right, below), i) for i, (left, right) in enumerate(zip(parts, parts[1:]))]
        rank, i = min(joins, default=(below, 0))
        if rank >= below:
            return parts
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


# Lesson 11: other roads


def encode_with_dropout(
    ids: Sequence[int], rules: Mapping[Pair, int], dropout: float, random: Random
) -> list[int]:
    """The ids after merging, where each time every possible merge is left out with probability `dropout`.

    0 gives `encode`, 1 merges nothing. Source: Provilkov, Emelianenko and Voita (2020), BPE-dropout.
    """
    ids = list(ids)
    while True:
        pairs = [(rules[pair], i) for i, pair in enumerate(zip(ids, ids[1:])) if pair in rules]
        kept = [found for found in pairs if random.random() >= dropout]
        if not kept:
            return ids
        new_id, i = min(kept)
        ids[i : i + 2] = [new_id]
