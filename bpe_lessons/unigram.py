"""Unigram: start from many pieces, keep those that the text needs, cut by probability.

Source of the method: Kudo (2018), and its program SentencePiece. Every algorithm here walks over a lattice.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import exp, log
from random import Random

SPACE = "▁"  # U+2581, which stands for a space and is easy to see
UNKNOWN_ID = 0
UNKNOWN_PENALTY = 10.0  # an unknown character scores this much below the rarest piece
LONGEST = 16  # characters in a piece
KEPT = 0.75  # of the pieces, after one pruning
EM_ROUNDS = 2  # between two prunings
FEWEST_USES = 1e-9  # what a piece without a use counts as, for a logarithm that exists

Words = Mapping[str, int]  # word -> how often it occurs
Edge = tuple[int, str, float]  # where the piece starts, the piece, its log probability
Lattice = list[list[Edge]]  # for every position in a text, the pieces that end there, the longest first


@dataclass(frozen=True)
class Model:
    """The pieces of a vocabulary with their log probabilities (natural logarithms), in the order of ids."""

    scores: Mapping[str, float]

    @cached_property
    def longest(self) -> int:
        """The length of the longest piece, in characters."""
        return max(map(len, self.scores), default=0)

    @cached_property
    def unknown(self) -> float:
        """The score of a character that is no piece: far below every piece, so that it is the last resort."""
        return min(self.scores.values(), default=0.0) - UNKNOWN_PENALTY

    @cached_property
    def ids(self) -> dict[str, int]:
        """Piece -> id, from 1: id 0 stands for everything unknown."""
        return {piece: id for id, piece in enumerate(self.scores, UNKNOWN_ID + 1)}


# Spaces


def mark(text: str) -> str:
    """The text with ▁ for every space and one more in front, the dummy prefix.

    The prefix makes the first word look like the others. An empty text stays empty.

    >>> mark("low lower")
    '▁low▁lower'
    """
    return SPACE + text.replace(" ", SPACE) if text else ""


def unmark(marked: str) -> str:
    """The text again: spaces for ▁, without the dummy prefix. A ▁ that was in the text becomes a space."""
    return marked.replace(SPACE, " ").removeprefix(" ")


def cut(marked: str) -> list[str]:
    """The words of a marked text. Every ▁ starts one, and no piece reaches into the next.

    >>> cut("▁low▁lower")
    ['▁low', '▁lower']
    """
    return re.findall(f"{SPACE}[^{SPACE}]*|[^{SPACE}]+", marked)


def count(text: str) -> dict[str, int]:
    """How often each marked word occurs, in the order first seen. Every line of the text is marked by itself.

    >>> count("so so")
    {'▁so': 2}
    """
    return dict(Counter(word for line in text.split("\n") for word in cut(mark(line))))


# The lattice: every way to cut a text


def lattice(text: str, model: Model) -> Lattice:
    """For every position in the text, the pieces that end there, the longest first.

    A character that is no piece is there too, with the score of the unknown, so every text can be cut.
    """
    scores, longest = model.scores, max(1, model.longest)
    edges: Lattice = [[]]
    for end in range(1, len(text) + 1):
        arriving = []
        for start in range(max(0, end - longest), end):
            piece = text[start:end]
            if piece in scores:
                arriving.append((start, piece, scores[piece]))
            elif start == end - 1:
                arriving.append((start, piece, model.unknown))
        edges.append(arriving)
    return edges


def viterbi(edges: Lattice) -> tuple[list[str], float]:
    """The most probable cut, and its log probability. Of equals, the one whose last piece is longest.

    The rule for equals holds at every position, not only at the end. Two cuts are equal when the rounded
    sums are. Source: Viterbi (1967).
    """
    best = [0.0]
    arrived: list[Edge] = [(0, "", 0.0)]
    for arriving in edges[1:]:
        edge = max(arriving, key=lambda edge: best[edge[0]] + edge[2])
        best.append(best[edge[0]] + edge[2])
        arrived.append(edge)
    pieces, end = [], len(edges) - 1
    while end:
        end, piece, _ = arrived[end]
        pieces.append(piece)
    return pieces[::-1], best[-1]


def n_best(edges: Lattice, n: int) -> list[tuple[list[str], float]]:
    """The n most probable cuts, the best first, each with its log probability. Fewer when there are fewer."""
    best: list[list[tuple[list[str], float]]] = [[([], 0.0)]]
    for arriving in edges[1:]:
        cuts = [
            ([*pieces, piece], so_far + score)
            for start, piece, score in arriving
            for pieces, so_far in best[start]
        ]
        best.append(sorted(cuts, key=lambda cut: -cut[1])[:n])
    return best[-1]


def log_sum(logs: Sequence[float]) -> float:
    """The logarithm of a sum of numbers given by their logarithms. Safe where the numbers are too small.

    >>> log_sum([-1000.0, -1000.0]) == -1000.0 + log(2)
    True
    """
    greatest = max(logs)
    return greatest + log(sum([exp(value - greatest) for value in logs]))


def forward(edges: Lattice, alpha: float = 1.0) -> list[float]:
    """For every position, the log of the summed probability of all cuts of the text before it.

    The last entry is the log probability of the text. Every probability is raised to the power alpha.
    """
    before = [0.0]
    for arriving in edges[1:]:
        before.append(log_sum([before[start] + alpha * score for start, _, score in arriving]))
    return before


def backward(edges: Lattice) -> list[float]:
    """For every position, the log of the summed probability of all cuts of the text after it."""
    after = [0.0] * len(edges)
    leaving: list[list[float]] = [[] for _ in edges]
    leaving[-1] = [0.0]
    for end in range(len(edges) - 1, -1, -1):
        after[end] = log_sum(leaving[end])
        for start, _, score in edges[end]:
            leaving[start].append(score + after[end])
    return after


def sample(edges: Lattice, alpha: float, random: Random) -> list[str]:
    """A cut drawn with a probability proportional to its own, raised to the power alpha.

    alpha 0 makes all cuts equal, 1 leaves the probabilities alone, a great alpha draws the best cut.
    Source of the method: Kudo (2018), subword regularization.
    """
    before = forward(edges, alpha)
    pieces, end = [], len(edges) - 1
    while end:
        weights = [exp(before[start] + alpha * score - before[end]) for start, _, score in edges[end]]
        [(end, piece, _)] = random.choices(edges[end], weights)
        pieces.append(piece)
    return pieces[::-1]


# Encode


def fuse(pieces: Iterable[str], model: Model) -> list[str]:
    """The pieces with neighbours that are unknown joined to one."""
    fused: list[str] = []
    for piece in pieces:
        if fused and piece not in model.scores and fused[-1] not in model.scores:
            fused[-1] += piece
        else:
            fused.append(piece)
    return fused


def segment(text: str, model: Model) -> list[str]:
    """The tokens of a text, as pieces: its most probable cut, neighbours that are unknown joined to one.

    Joined and unmarked they are the text again.
    """
    return fuse(viterbi(lattice(mark(text), model))[0], model)


def encode(text: str, model: Model) -> list[int]:
    """The ids of the tokens of a text; UNKNOWN_ID for what is no piece."""
    return [model.ids.get(piece, UNKNOWN_ID) for piece in segment(text, model)]


# Train


@dataclass(frozen=True)
class Step:
    """A model on the way, and how well it explains the words."""

    model: Model
    log_likelihood: float  # of all words, every cut of theirs included
    uses: dict[str, float]  # how often each piece is expected in them


def alphabet(words: Words, coverage: float = 1.0) -> tuple[list[str], float]:
    """The most frequent characters, as many as make up the share `coverage`, and the share they do make up.

    Of equally frequent characters the smaller code point goes first. Raises ValueError for an empty corpus
    and for a coverage that is not above 0 and at most 1.
    """
    if not 0 < coverage <= 1:
        raise ValueError(f"coverage is {coverage}: it is a share of the text, above 0 and at most 1")
    counts: Counter[str] = Counter()
    for word, times in words.items():
        for character in word:
            counts[character] += times
    if not counts.total():
        raise ValueError("the corpus is empty: there is no character to start from")
    known, covered = [], 0
    for character in sorted(counts, key=lambda character: (-counts[character], character)):
        if covered >= coverage * counts.total():
            break
        known.append(character)
        covered += counts[character]
    return known, covered / counts.total()


def leave_out(words: Words, known: Container[str]) -> dict[str, int]:
    """The words cut apart at every character that is not known, and without it."""
    kept: Counter[str] = Counter()
    for word, times in words.items():
        for is_known, run in groupby(word, lambda character: character in known):
            if is_known:
                kept["".join(run)] += times
    return dict(kept)


def seed(words: Words, size: int) -> Model:
    """The start vocabulary: every character, and the substrings with the greatest count times length.

    A substring occurs twice or more and has at most LONGEST characters. Its score is its share of all
    these products. `size` is the most pieces there can be, unless there are more characters.
    """
    counts: Counter[str] = Counter()
    for word, times in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(start + LONGEST, len(word)) + 1):
                counts[word[start:end]] += times
    weights = {piece: times * len(piece) for piece, times in counts.items() if times > 1 or len(piece) == 1}
    ranked = sorted(weights, key=lambda piece: (len(piece) > 1, -weights[piece], piece))
    characters = sum(len(piece) == 1 for piece in weights)
    chosen = ranked[: max(size, characters)]
    total = sum(weights[piece] for piece in chosen)
    return Model({piece: log(weights[piece] / total) for piece in chosen})


def expect(edges: Lattice) -> tuple[dict[str, float], float]:
    """How often each piece is expected in a cut of the text, and the log probability of the text.

    A use counts as much as the cuts that contain it are probable, given the text.
    """
    before, after = forward(edges), backward(edges)
    uses: dict[str, float] = {}
    for end, arriving in enumerate(edges):
        for start, piece, score in arriving:
            share = exp(before[start] + score + after[end] - before[-1])
            uses[piece] = uses.get(piece, 0.0) + share
    return uses, before[-1]


def e_step(words: Words, model: Model) -> tuple[dict[str, float], float]:
    """The expected uses of every piece of the model in all words, and the log likelihood of the words.

    Unknown characters lower the likelihood and get no uses.
    """
    total = dict.fromkeys(model.scores, 0.0)
    log_likelihood = 0.0
    for word, times in words.items():
        uses, log_probability = expect(lattice(word, model))
        log_likelihood += times * log_probability
        for piece, share in uses.items():
            if piece in total:
                total[piece] += times * share
    return total, log_likelihood


def m_step(uses: Mapping[str, float]) -> Model:
    """The model in which each piece is as probable as its share of all uses."""
    total = log(sum(uses.values()))
    return Model({piece: log(max(times, FEWEST_USES)) - total for piece, times in uses.items()})


def losses(model: Model, uses: Mapping[str, float]) -> dict[str, float]:
    """How much log likelihood each piece longer than a character is worth, about.

    Without it, each of its uses would be cut the best other way.
    """
    lost = {}
    for piece, score in model.scores.items():
        if len(piece) > 1:
            edges = lattice(piece, model)
            edges[-1] = edges[-1][1:]  # the longest piece that ends there is the piece itself
            lost[piece] = uses[piece] * (score - viterbi(edges)[1])
    return lost


def prune(model: Model, uses: Mapping[str, float], size: int) -> Model:
    """The model without the pieces that cost least, down to `size` pieces. Characters always stay.

    The scores stay too: the next M step makes the probabilities sum to 1 again.
    """
    lost = losses(model, uses)
    cheapest = sorted(lost, key=lambda piece: (lost[piece], piece))
    gone = set(cheapest[: max(0, len(model.scores) - size)])
    return Model({piece: score for piece, score in model.scores.items() if piece not in gone})


def train(words: Words, vocab_size: int, coverage: float = 1.0, seed_size: int = 10_000) -> Iterator[Step]:
    """Yield a Step for every model on the way from the seed vocabulary to `vocab_size` pieces, the last one.

    Two rounds of EM, then a quarter of the pieces goes, and so on. The unknown is not among the pieces.
    Fewer pieces come out when the words have fewer. Characters beyond the `coverage` are cut out of the
    words first. Raises ValueError for an empty corpus and for a size below that of the alphabet.
    """
    known, _ = alphabet(words, coverage)
    if vocab_size < len(known):
        missing = len(known) - vocab_size
        raise ValueError(f"vocab_size {vocab_size} + {missing} = {len(known)} characters of the alphabet")
    words = leave_out(words, set(known))
    model = seed(words, max(seed_size, vocab_size))
    while True:
        for _ in range(EM_ROUNDS):
            uses, log_likelihood = e_step(words, model)
            yield Step(model, log_likelihood, uses)
            model = m_step(uses)
        if len(model.scores) <= vocab_size:
            break
        model = prune(model, uses, max(vocab_size, int(KEPT * len(model.scores))))
    uses, log_likelihood = e_step(words, model)
    yield Step(model, log_likelihood, uses)
