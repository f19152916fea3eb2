"""Encoding: known pieces from a cache, short ones by a scan, long ones with a heap and linked symbols."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from bpe_lessons.engine.cut import Cutter

Pair = tuple[int, int]
LONG = 100  # symbols from which the heap is the faster way
NO_RULE = 1 << 62
CACHED = 1 << 18  # pieces kept; a full cache is emptied


def merge_piece(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    """The ids after merging, as long as a rule applies, the pair of the lowest rule, leftmost first."""
    return _merge_long(ids, rules) if len(ids) > LONG else _merge_short(ids, rules)


def _merge_short(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    find = rules.get
    ranks = [find(pair, NO_RULE) for pair in zip(ids, ids[1:])]
    while ranks:
        lowest = min(ranks)
        if lowest == NO_RULE:
            break
        i = ranks.index(lowest)
        ids[i] = lowest
        del ids[i + 1], ranks[i]
        if i:
            ranks[i - 1] = find((ids[i - 1], lowest), NO_RULE)
        if i < len(ranks):
            ranks[i] = find((lowest, ids[i + 1]), NO_RULE)
    return ids


def _merge_long(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    """The same in O(n log n): places wait in a heap by rule, and are checked when their turn comes."""
    size = len(ids)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    # an entry is one number, the rule and then the place, which compares faster than a pair
    heap = [rules[pair] << 32 | i for i, pair in enumerate(zip(ids, ids[1:])) if pair in rules]
    heapq.heapify(heap)
    while heap:
        entry = heapq.heappop(heap)
        new_id, i = entry >> 32, entry & 0xFFFFFFFF
        j = after[i]
        if ids[i] < 0 or j >= size or rules.get((ids[i], ids[j])) != new_id:
            continue
        ids[i], ids[j] = new_id, -1
        third = after[i] = after[j]
        if third < size:
            before[third] = i
            rule = rules.get((new_id, ids[third]))
            if rule is not None:
                heapq.heappush(heap, rule << 32 | i)
        previous = before[i]
        if previous >= 0:
            rule = rules.get((ids[previous], new_id))
            if rule is not None:
                heapq.heappush(heap, rule << 32 | previous)
    return [id for id in ids if id >= 0]


def merge_by_rank(piece: bytes, ranks: Mapping[bytes, int], below: int) -> list[bytes]:
    """The lesson's `merge_by_rank`; a merge looks up its two new neighbours and no others."""
    find = ranks.get
    edges = list(range(len(piece) + 1))
    joins = [find(piece[i : i + 2], below) for i in range(len(piece) - 1)]
    while joins and (lowest := min(joins)) < below:
        i = joins.index(lowest)
        del edges[i + 1], joins[i]
        if i:
            joins[i - 1] = find(piece[edges[i - 1] : edges[i + 1]], below)
        if i < len(joins):
            joins[i] = find(piece[edges[i] : edges[i + 2]], below)
    return [piece[start:end] for start, end in zip(edges, edges[1:])]


class Encoder(dict[str, tuple[int, ...]]):
    """Encodes texts: a dict from pieces seen so far to their ids, filled when a piece is looked up."""

    def __init__(
        self, cutter: Cutter, byte_ids: bytes, rules: Mapping[Pair, int], whole: Mapping[bytes, int]
    ) -> None:
        """`byte_ids` holds the id of each byte; a piece that is a key of `whole` has that one id."""
        super().__init__()
        self.cutter, self.byte_ids, self.rules, self.whole = cutter, byte_ids, rules, whole

    def __missing__(self, piece: str) -> tuple[int, ...]:
        data = piece.encode()
        if data in self.whole:
            ids: tuple[int, ...] = (self.whole[data],)
        else:
            ids = tuple(merge_piece(list(data.translate(self.byte_ids)), self.rules))
        if len(piece) <= LONG:
            if len(self) >= CACHED:
                self.clear()
            self[piece] = ids
        return ids

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        ids: list[int] = []
        for pieces in self.cutter.pieces(text):
            ids.extend(chain.from_iterable(map(self.__getitem__, pieces)))
        return ids

    def encode_iterable(self, chunks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that arrives in chunks, however it is chunked.

        Memory holds one chunk and the longest stretch that has no safe place to cut.
        """
        for stretch in self.cutter.of_chunks(chunks):
            for pieces in self.cutter.pieces(stretch):
                yield from chain.from_iterable(map(self.__getitem__, pieces))
