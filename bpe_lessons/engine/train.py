"""Training on arrays: every merge touches only the places where its pair stands.

All rows lie one after the other in one array, a separator between them; `after` and `before` link each
symbol to its neighbours. A pair gets all its places in the round that makes its younger symbol, so one sorted
array of places serves it for good, checked when used. After that round its count only falls. So pairs wait,
unsorted, in buckets by the count they had when filed. When the best count has come down to a bucket, the
pairs that still have it are put in order by the tie rule; the others are filed again, lower down.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import total_ordering
from typing import Any

import numpy as np

Pair = tuple[int, int]
Array = np.ndarray[Any, np.dtype[np.int64]]
SEPARATOR, GONE = -1, -2
FEW = 200  # up to so many places a plain loop is faster than sorting
VERY_FEW = 32  # places of a pair up to which arrays are not worth their start
FACTOR = 1 << 32  # a pair as one number: left * FACTOR + right


@dataclass(frozen=True)
class Trained:
    """A whole training: its merges, the count of each, and why it stopped."""

    merges: list[Pair]
    counts: list[int]
    stopped: str


@dataclass(frozen=True)
class Rows:
    """A corpus as arrays: all ids one after the other; the length of each row and how often it occurs."""

    ids: Array
    lengths: Array
    counts: Array

    @classmethod
    def of(cls, corpus: "Rows | Sequence[tuple[Sequence[int], int]]") -> "Rows":
        """A corpus in the lesson's form, rows (ids, count), as arrays."""
        if isinstance(corpus, Rows):
            return corpus
        return cls(
            np.fromiter((id for ids, _ in corpus for id in ids), dtype=np.int64),
            np.array([len(ids) for ids, _ in corpus], dtype=np.int64),
            np.array([n for _, n in corpus], dtype=np.int64),
        )


def spell(pieces: Mapping[str, int], order: Sequence[int]) -> Rows:
    """Pieces with counts as rows of byte ids; `order` lists the 256 bytes in the order of their ids."""
    spelled = [piece.encode() for piece in pieces]
    id_of_byte = np.argsort(np.array(order, dtype=np.int64))
    return Rows(
        id_of_byte[np.frombuffer(b"".join(spelled), dtype=np.uint8)],
        np.fromiter(map(len, spelled), dtype=np.int64, count=len(spelled)),
        np.fromiter(pieces.values(), dtype=np.int64, count=len(spelled)),
    )


@total_ordering
class _Greatest:
    """Orders pairs of byte strings from the greatest down."""

    __slots__ = ("key",)

    def __init__(self, key: tuple[bytes, bytes, Pair]) -> None:
        self.key = key

    def __lt__(self, other: "_Greatest") -> bool:
        return self.key > other.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Greatest) and self.key == other.key


def train(
    corpus: Rows | Sequence[tuple[Sequence[int], int]],
    vocabulary: Mapping[int, bytes],
    merges: int,
    ties: str = "first",
    min_frequency: int = 1,
    on_merge: Callable[[int], object] | None = None,
) -> Trained:
    """The merges that the lesson's `train` learns from the same rows, start alphabet and rules.

    `on_merge` is called with the number of merges learned so far. Ctrl-C ends the training early, and what
    was learned until then is the result. Raises ValueError for an unknown tie rule.
    """
    if ties not in ("first", "smallest", "greatest"):
        raise ValueError(f"unknown tie rule {ties!r}; known: first, smallest, greatest")
    run = _Run(Rows.of(corpus), dict(vocabulary), ties)
    pairs: list[Pair] = []
    counts: list[int] = []
    stopped = "size reached"
    try:
        while len(pairs) < merges:
            best = run.best()
            if best is None or best[1] < min_frequency:
                stopped = f"no pair occurs {min_frequency} times" if best else "no pair left"
                break
            pair, count = best
            run.merge(pair)
            pairs.append(pair)
            counts.append(count)
            if on_merge:
                on_merge(len(pairs))
    except KeyboardInterrupt:
        stopped = "stopped by hand"
    return Trained(pairs, counts, stopped)


class _Run:
    """The state of one training."""

    def __init__(self, rows: Rows, vocabulary: dict[int, bytes], ties: str) -> None:
        self.vocabulary, self.ties = vocabulary, ties
        lengths = rows.lengths + 1  # a separator before each row, and one behind the last
        size = int(lengths.sum()) + 1
        inside = np.ones(size, dtype=bool)
        inside[np.cumsum(lengths) - lengths] = inside[-1] = False
        self.symbols = np.full(size, SEPARATOR, dtype=np.int64)
        self.symbols[inside] = rows.ids
        self.weights = np.append(np.repeat(rows.counts, lengths), 0)
        self.after = np.minimum(np.arange(1, size + 1), size - 1)
        self.before = np.maximum(np.arange(-1, size - 1), 0)
        # the same memory for single items, which numpy reads slowly
        arrays: list[Any] = [self.symbols, self.after, self.before, self.weights]
        self.views = [memoryview(array) for array in arrays]
        self.counts: dict[int, int] = {}
        self.places: dict[int, Array | list[int]] = {}
        self.buckets: dict[int, list[int]] = {}  # count -> pairs that had it when they were filed
        self.levels: list[int] = []  # a heap of the counts that have a bucket, negative
        self.level = -1  # the best count; `tied` is a heap of the pairs that have it, or had it
        self.tied: list[tuple[Any, int]] = []
        self._add(np.arange(size))

    def best(self) -> tuple[Pair, int] | None:
        """The pair that the rules choose now, and its count; None when no pair is left."""
        while True:
            while self.tied:
                rank, key = self.tied[0]
                if self.counts[key] < self.level:
                    heapq.heappop(self.tied)
                    self._file(key)
                elif self.ties == "first" and (now := self._first_place(key)) != rank:
                    heapq.heapreplace(self.tied, (now, key))
                else:
                    return divmod(key, FACTOR), self.level
            if not self.levels:
                return None
            self._open(-heapq.heappop(self.levels))

    def _file(self, key: int) -> None:
        """Put a pair into the bucket of its count."""
        count = self.counts[key]
        if count in self.buckets:
            self.buckets[count].append(key)
        elif count:
            self.buckets[count] = [key]
            heapq.heappush(self.levels, -count)

    def _open(self, level: int) -> None:
        """Go down to a count: order the pairs that have it, file the others again."""
        self.level = level
        for key in self.buckets.pop(level):
            if self.counts[key] == level:
                self.tied.append((self._rank(key), key))
            else:
                self._file(key)
        heapq.heapify(self.tied)

    def merge(self, pair: Pair) -> None:
        """Replace the pair by the next id, left to right without overlap; counts and places follow."""
        left, right = pair
        new_id = len(self.vocabulary)
        self.vocabulary[new_id] = self.vocabulary[left] + self.vocabulary[right]
        key = left * FACTOR + right
        if len(self.places[key]) <= VERY_FEW:
            self._merge_few(key, new_id)
            return
        symbols, after, before = self.symbols, self.after, self.before
        at = self._valid(key)
        if left == right:
            at = _every_other(at, after)
        second = after[at]
        third, previous = after[second], before[at]
        self.counts[key] -= int(self.weights[at].sum())
        apart = previous[1:] != second[:-1]  # else two merges share the pair between them
        self._subtract(previous[:1], previous[1:][apart], second)
        symbols[at], symbols[second] = new_id, GONE
        after[at], before[third] = third, at
        previous = before[at]
        self._add(previous[symbols[previous] != new_id], at)

    def _merge_few(self, key: int, new_id: int) -> None:
        """The same for a pair with few places, one after the other: arrays are slow to start."""
        left, right = divmod(key, FACTOR)
        symbols, after, before, weights = self.views
        counts, places = self.counts, self.places[key]
        merged = []
        for at in places if isinstance(places, list) else places.tolist():
            second = after[at]
            if symbols[at] != left or symbols[second] != right:
                continue
            weight, previous, third = weights[at], before[at], after[second]
            before_it, behind_it = symbols[previous], symbols[third]
            counts[key] -= weight
            if before_it >= 0 and before_it != new_id:  # else the merge before this one has taken that pair
                counts[before_it * FACTOR + left] -= weight
            if behind_it >= 0:
                counts[right * FACTOR + behind_it] -= weight
            symbols[at], symbols[second] = new_id, GONE
            after[at], before[third] = third, at
            merged.append((at, weight))
        found: dict[int, list[int]] = {}  # new pair -> its places
        sums: dict[int, int] = {}
        for at, weight in merged:
            previous = before[at]
            before_it, behind_it = symbols[previous], symbols[after[at]]
            if before_it >= 0 and before_it != new_id:
                new_key = before_it * FACTOR + new_id
                found.setdefault(new_key, []).append(previous)
                sums[new_key] = sums.get(new_key, 0) + weight
            if behind_it >= 0:
                new_key = new_id * FACTOR + behind_it
                found.setdefault(new_key, []).append(at)
                sums[new_key] = sums.get(new_key, 0) + weight
        for new_key, count in sums.items():
            self._new(new_key, found[new_key], count)

    def _pairs(self, *groups: Array) -> tuple[Array, Array]:
        """The places among these where a pair begins, and their pairs."""
        at = np.concatenate(groups)
        left, right = self.symbols[at], self.symbols[self.after[at]]
        real = (left >= 0) & (right >= 0)
        return at[real], left[real] * FACTOR + right[real]

    def _subtract(self, *groups: Array) -> None:
        at, keys = self._pairs(*groups)
        weights, counts = self.weights[at], self.counts
        if len(keys) > FEW:
            order, starts = _grouped(keys)
            keys, weights = keys[order][starts], np.add.reduceat(weights[order], starts)
        for key, weight in zip(keys.tolist(), weights.tolist(), strict=True):
            counts[key] -= weight

    def _add(self, *groups: Array) -> None:
        """Count the pairs that begin at these places, all of them new; within a group places rise."""
        at, keys = self._pairs(*groups)
        if not len(at):
            return
        order, starts = _grouped(keys)
        keys, at = keys[order], at[order]
        sums = np.add.reduceat(self.weights[at], starts)
        ends = [*starts[1:].tolist(), len(keys)]
        for key, start, end, count in zip(
            keys[starts].tolist(), starts.tolist(), ends, sums.tolist(), strict=True
        ):
            self._new(key, at[start:end], count)

    def _new(self, key: int, places: Array | list[int], count: int) -> None:
        self.counts[key] = count
        self.places[key] = places
        if count == self.level:
            heapq.heappush(self.tied, (self._rank(key), key))
        else:
            self._file(key)

    def _rank(self, key: int) -> Any:
        """What decides between pairs of equal count: the lower wins."""
        if self.ties == "smallest":
            return key
        if self.ties == "first":
            return self._first_place(key)
        left, right = divmod(key, FACTOR)
        return _Greatest((self.vocabulary[left], self.vocabulary[right], (left, right)))

    def _valid(self, key: int) -> Array:
        """The places where a pair still stands, in order; the others are forgotten."""
        left, right = divmod(key, FACTOR)
        at: Array = np.asarray(self.places[key])
        at = at[(self.symbols[at] == left) & (self.symbols[self.after[at]] == right)]
        self.places[key] = at
        return at

    def _first_place(self, key: int) -> int:
        """The first place where a pair still stands."""
        left, right = divmod(key, FACTOR)
        symbols, after = self.views[:2]
        at = int(self.places[key][0])
        if symbols[at] == left and symbols[after[at]] == right:
            return at
        return int(self._valid(key)[0])


def _grouped(keys: Array) -> tuple[Array, Array]:
    """The order that brings equal keys together, and where each group of equals then starts."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    return order, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _every_other(at: Array, after: Array) -> Array:
    """Of the places of a pair of equal symbols those that a merge uses: in each run every other one."""
    if not len(at):
        return at
    begins = np.append(True, after[at[:-1]] != at[1:])
    starts = np.flatnonzero(begins)
    run = np.cumsum(begins) - 1
    used: Array = at[(np.arange(len(at)) - starts[run]) % 2 == 0]
    return used
