"""Encoding: known pieces from a cache, short ones by a scan, long ones with a heap and linked symbols."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from bpe_lessons.engine.cut import Cutter

Pair = tuple[int, int]
LONG = 100  # symbols from which the heap is the faster way
CACHED = 1 << 18  # pieces kept; a full cache is emptied


def merge_piece(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    """The ids after merging, as long as a rule applies, the pair of the lowest rule, leftmost first."""
    return _merge_long(ids, rules) if len(ids) > LONG else _merge_short(ids, rules)


def _merge_short(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    none = 1 << 62
    ranks = [rules.get(pair, none) for pair in zip(ids, ids[1:])]
    while ranks:
        lowest = min(ranks)
        if lowest == none:
            break
        i = ranks.index(lowest)
        ids[i : i + 2] = [lowest]
        del ranks[i]
        if i:
            ranks[i - 1] = rules.get((ids[i - 1], lowest), none)
        if i < len(ranks):
            ranks[i] = rules.get((lowest, ids[i + 1]), none)
    return ids


def _merge_long(ids: list[int], rules: Mapping[Pair, int]) -> list[int]:
    """The same in O(n log n): places wait in a heap by rule, and are checked when their turn comes."""
    size = len(ids)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    heap = [(rules[pair], i) for i, pair in enumerate(zip(ids, ids[1:])) if pair in rules]
    heapq.heapify(heap)
    while heap:
        new_id, i = heapq.heappop(heap)
        j = after[i] if ids[i] >= 0 else size
        if j >= size or rules.get((ids[i], ids[j])) != new_id:
            continue
        ids[i], ids[j] = new_id, -1
        after[i] = after[j]
        if after[j] < size:
            before[after[j]] = i
            rule = rules.get((new_id, ids[after[j]]))
            if rule is not None:
                heapq.heappush(heap, (rule, i))
        if before[i] >= 0:
            rule = rules.get((ids[before[i]], new_id))
            if rule is not None:
                heapq.heappush(heap, (rule, before[i]))
    return [id for id in ids if id >= 0]


class Encoder(dict[str, list[int]]):
    """Encodes texts: a dict from pieces seen so far to their ids, filled when a piece is looked up."""

    def __init__(self, cutter: Cutter, encode_piece: Callable[[bytes], list[int]]) -> None:
        super().__init__()
        self.cutter, self.encode_piece = cutter, encode_piece

    def __missing__(self, piece: str) -> list[int]:
        ids = self.encode_piece(piece.encode())
        if len(piece) <= LONG:
            if len(self) >= CACHED:
                self.clear()
            self[piece] = ids
        return ids

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return list(chain.from_iterable(self._ids(text)))

    def encode_iterable(self, chunks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that arrives in chunks, however it is chunked.

        Memory holds one chunk and the longest stretch that has no safe place to cut.
        """
        for stretch in self.cutter.of_chunks(chunks):
            for ids in self._ids(stretch):
                yield from ids

    def _ids(self, text: str) -> Iterator[list[int]]:
        for pieces in self.cutter.pieces(text):
            yield from map(self.__getitem__, pieces)
