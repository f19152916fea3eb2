"""What a vocabulary saves and costs, in bytes, tokens, rows, parameters, money; how counts fall by rank."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from bpe_lessons.tokenizer import Tokenizer


class Encodes(Protocol):
    """Anything that turns a text into ids: a Tokenizer or a Pipeline."""

    def encode(self, text: str, special: str = ...) -> list[int]: ...


# Lesson 06: how long a text becomes


def bytes_per_token(text: str, ids: Collection[int]) -> float:
    """The UTF-8 bytes of a text for each of its tokens. Raises ValueError for an empty text.

    >>> bytes_per_token("你好", [57668, 53901])
    3.0
    """
    if not text or not ids:
        raise ValueError("an empty text has no bytes per token")
    return len(text.encode()) / len(ids)


def characters_per_token(text: str, ids: Collection[int]) -> float:
    """The characters (code points) of a text for each of its tokens. Raises ValueError for an empty text."""
    if not text or not ids:
        raise ValueError("an empty text has no characters per token")
    return len(text) / len(ids)


def tokens_per_word(text: str, ids: Collection[int]) -> float:
    """The tokens of a text for each of its words, also called fertility.

    A word is a stretch without white space, so the number means little where words are not written apart.
    Raises ValueError for a text without words.
    """
    words = len(text.split())
    if not words:
        raise ValueError("a text without words has no tokens per word")
    return len(ids) / words


def token_lengths(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> list[int]:
    """The length of each token in bytes, taken from the vocabulary.

    The text of a single token would mislead: a part of a character decodes to U+FFFD, which has 3 bytes.
    """
    return [len(vocabulary[id]) for id in ids]


def bits_per_byte(mean_loss: float, tokens: int, size: int) -> float:
    """The bits a model needs for a byte of a text of `size` bytes; comparable across vocabularies.

    `mean_loss` is its mean loss in nats per token over the `tokens` of that text. Raises ValueError for an
    empty text.

    >>> round(bits_per_byte(2.0, 10, 21), 4)
    1.374
    """
    if tokens < 1 or size < 1:
        raise ValueError(f"{tokens} tokens in {size} bytes: there is no text to measure on")
    return mean_loss * tokens / size / math.log(2)


def size_curve(tokenizer: Tokenizer, text: str, sizes: Iterable[int]) -> pd.DataFrame:
    """How long a text becomes under the first rows of a vocabulary: a line for each size, in tokens.

    Columns: `tokens` and `bytes per token`. Sizes beyond the tokenizer's own are left out: its training had
    no more merges to give. Raises ValueError for an empty text.
    """
    counts = {
        size: tokenizer.truncate(size).encode(text, special="text")
        for size in sizes
        if size <= len(tokenizer)
    }
    lines = {size: (len(ids), bytes_per_token(text, ids)) for size, ids in counts.items()}
    curve = pd.DataFrame.from_dict(lines, orient="index", columns=["tokens", "bytes per token"])
    return curve.rename_axis("size")


def tokens_relative(
    tokenizer: Encodes, translations: Mapping[str, Sequence[str]], base: str = "en"
) -> pd.Series:
    """The tokens of the same texts in each language, as a multiple of the base language, in rising order.

    `translations` holds for each language the same texts. Raises ValueError where their number differs and
    where the base has no text.
    """
    if not any(translations.get(base, ())):
        raise ValueError(f"there is no text in the base language {base!r}")
    tokens = {}
    for language, texts in translations.items():
        if len(texts) != len(translations[base]):
            raise ValueError(f"{language!r} has {len(texts)} texts and {base!r} {len(translations[base])}")
        tokens[language] = sum(len(tokenizer.encode(text, special="text")) for text in texts)
    return (pd.Series(tokens, dtype=float) / tokens[base]).sort_values(kind="stable")


# Lesson 06: what the rows of the table are used for


def row_uses(ids: Iterable[int], rows: int) -> pd.Series:
    """How often each of the ids 0 to `rows` - 1 occurs, the zeros too.

    Raises ValueError for an id that the table does not have and for a table without rows.
    """
    if rows < 1:
        raise ValueError("a table without rows has no uses")
    counts = np.bincount(np.fromiter(ids, dtype=np.int64), minlength=rows)
    if len(counts) > rows:
        raise ValueError(f"id {len(counts) - 1} is not in a table of {rows} rows")
    return pd.Series(counts, name="uses").rename_axis("id")


def rare_share(uses: pd.Series, below: int) -> float:
    """The share of rows (0 to 1) used fewer than `below` times; `below=1` gives the unused ones.

    Raises ValueError for a table without rows.
    """
    if not len(uses):
        raise ValueError("a table without rows has no share of rare rows")
    return float((uses < below).mean())


# Lesson 06: what the table costs


def embedding_parameters(rows: int, width: int, tied: bool = False) -> int:
    """The parameters of the tables of a model: `rows` x `width`, twice unless input and output share one.

    >>> embedding_parameters(32_000, 4096)
    262144000
    """
    if rows < 1 or width < 1:
        raise ValueError(f"a table of {rows} rows x {width} holds nothing")
    return rows * width * (1 if tied else 2)


def embedding_ledger(models: Mapping[str, tuple[int, int, bool, int]]) -> pd.DataFrame:
    """For each model (rows, width, tied, all parameters): its embedding parameters and their share of all.

    Columns: `rows`, `width`, `tied`, `parameters`, `embedding`, `share` (0 to 1). Raises ValueError when
    there is no model, and for one with fewer parameters than its tables hold.
    """
    if not models:
        raise ValueError("a ledger needs at least one model")
    lines = []
    for name, (rows, width, tied, parameters) in models.items():
        embedding = embedding_parameters(rows, width, tied)
        if embedding > parameters:
            raise ValueError(f"{name}: the tables alone hold {embedding:,} of {parameters:,} parameters")
        lines.append((rows, width, tied, parameters, embedding, embedding / parameters))
    columns = ["rows", "width", "tied", "parameters", "embedding", "share"]
    return pd.DataFrame(lines, index=pd.Index(models, name="model"), columns=columns)


def output_cost(rows: int, width: int) -> int:
    """The multiply-adds of the output layer for one token: a dot product of `width` numbers for every row."""
    return embedding_parameters(rows, width, tied=True)


def cost_per_byte(body: int, rows: int, width: int, bytes_per_token: float) -> float:
    """The multiply-adds of a model for one byte of text.

    One token costs a multiply-add for each parameter of the body (all that is no table) and the output
    layer. Attention over long texts is left out. Raises ValueError for a negative body and where no bytes
    go into a token.
    """
    if body < 0 or bytes_per_token <= 0:
        raise ValueError(f"a body of {body} parameters and {bytes_per_token} bytes per token make no model")
    return (body + output_cost(rows, width)) / bytes_per_token


def attention_cost(tokens: int, width: int, layers: int = 1) -> int:
    """The multiply-adds of attention for a text of so many tokens, each looking at all of them.

    Two per pair of tokens, number and layer: one for the scores, one for the weighted sum. A causal model
    that skips the tokens to come needs about half. Raises ValueError for an empty text.
    """
    if tokens < 1:
        raise ValueError("an empty text has no attention to pay for")
    return 2 * tokens**2 * width * layers


def cache_bytes(tokens: int, width: int, layers: int, number: int = 2) -> int:
    """The bytes of the KV cache: for each token and layer a key and a value of `width` numbers.

    `width` is heads x size of a head, counting the heads that keep keys and values; `number` is the bytes
    of one number. Raises ValueError for an empty text.
    """
    if tokens < 1:
        raise ValueError("an empty text has no cache")
    return 2 * tokens * width * layers * number


def bill(tokens: int, price_per_million: float) -> float:
    """The price of some tokens, in the currency of `price_per_million`, the price of a million tokens.

    Raises ValueError for a negative number of tokens or a negative price.
    """
    if tokens < 0 or price_per_million < 0:
        raise ValueError(f"{tokens} tokens at {price_per_million} a million: neither can be negative")
    return tokens * price_per_million / 1_000_000


# Lesson 07: ranks and words


class Line(NamedTuple):
    """A straight line on logarithmic axes, ln y = intercept + slope ln x, and its fit (r2, 1 is perfect)."""

    slope: float
    intercept: float
    r2: float


class Likelihood(NamedTuple):
    """The exponent of a Zipf law fitted by maximum likelihood, and its standard error."""

    exponent: float
    error: float


Counts = Mapping[Any, float] | Iterable[float]  # thing -> how often it occurs, or the numbers alone


def ranked(counts: Counts) -> pd.Series:
    """The counts by rank: the largest first, ranks from 1, zeros dropped.

    Raises ValueError for a count that is no number from 0 up, and when no count is left.

    >>> ranked({"low": 5, "up": 0, "newest": 6}).to_dict()
    {1: 6, 2: 5}
    """
    values = list(counts.values() if isinstance(counts, Mapping) else counts)
    wrong = [count for count in values if not 0 <= count < math.inf]
    if wrong:
        raise ValueError(f"{wrong[0]} is not how often a thing occurs")
    kept = sorted((count for count in values if count), reverse=True)
    if not kept:
        raise ValueError("nothing occurs, so there is nothing to rank")
    return pd.Series(kept, index=pd.RangeIndex(1, len(kept) + 1, name="rank"), name="count")


def stretch(counts: Counts, first: int = 1, last: int | None = None) -> pd.Series:
    """The ranked counts from rank `first` to rank `last` (default: the end), both included.

    Raises ValueError for a stretch with fewer than two ranks, through which no line goes.
    """
    part = ranked(counts).loc[first:last]
    if first < 1 or len(part) < 2:
        raise ValueError(f"ranks {first} to {last or 'the end'} hold {len(part)} counts; a fit needs two")
    return part


def straight(x: Collection[float], y: Collection[float]) -> Line:
    """The line of least squares through points on logarithmic axes; its slope is the power in y ~ x^slope.

    A level line explains nothing and misses nothing: its r2 is 1. Raises ValueError for fewer than two
    different x.
    """
    ln_x, ln_y = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    if len(set(ln_x)) < 2:
        raise ValueError("a line needs points at two different x")
    slope, intercept = np.polyfit(ln_x, ln_y, 1)
    missed = ln_y - intercept - slope * ln_x
    r2 = 1 - missed.var() / ln_y.var() if ln_y.min() < ln_y.max() else 1.0
    return Line(float(slope), float(intercept), float(r2))


def least_squares(counts: Counts, first: int = 1, last: int | None = None) -> Line:
    """The line of least squares through (ln rank, ln count): every rank weighs the same."""
    part = stretch(counts, first, last)
    return straight(part.index, part)


def log_binned(counts: Counts, first: int = 1, last: int | None = None) -> Line:
    """The line of least squares through bins of ranks: 1, 2-3, 4-7, ... weigh the same.

    A bin lies at the geometric mean of its ranks and the mean of its counts. Bins at the ends of the
    stretch may be incomplete.
    """
    part = stretch(counts, first, last)
    points = pd.DataFrame({"ln rank": np.log(part.index), "count": part.to_numpy()})
    bins = points.groupby(np.frexp(part.index)[1]).mean()  # by the number of binary digits of the rank
    return straight(np.exp(bins["ln rank"]), bins["count"])


def likelihood(counts: Counts, first: int = 1, last: int | None = None) -> Likelihood:
    """The exponent s that makes the counts most likely, and its standard error: every occurrence weighs.

    The model is a finite Zipf law: an occurrence has rank r with probability r^-s / (sum over the stretch).
    The best s gives ln r the mean that the counts give it. The error is that of the fit alone: it takes the
    model for true, the occurrences for independent and the ranks for known beforehand. Ranks read off the
    same sample miss the rare things that did not occur, and the exponent can come out too low by far more
    than the error. With shares of a billion words in place of counts the error has no meaning.
    """
    part = stretch(counts, first, last)
    logs = np.log(part.index.to_numpy() / first)  # from 0 up: powers of large ranks would vanish
    wanted = np.average(logs, weights=part)

    def mean_log(s: float) -> float:
        """The mean of the logs under the law with exponent s."""
        return float(np.average(logs, weights=np.exp(-s * logs)))

    low, high = 0.0, 1.0
    while mean_log(high) > wanted:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_log(middle) > wanted else (low, middle)
    variance = np.average((logs - mean_log(high)) ** 2, weights=np.exp(-high * logs))
    return Likelihood(high, float(1 / np.sqrt(part.sum() * variance)))


def fits(counts: Counts, first: int = 1, last: int | None = None) -> pd.DataFrame:
    """The exponent by three methods on the same ranks: a line each, with the ranks, r2 or standard error."""
    part = stretch(counts, first, last)
    by_rank, by_bin = least_squares(counts, first, last), log_binned(counts, first, last)
    by_count = likelihood(counts, first, last)
    lines = {
        "least squares": (-by_rank.slope, by_rank.r2, math.nan),
        "log-binned": (-by_bin.slope, by_bin.r2, math.nan),
        "maximum likelihood": (by_count.exponent, math.nan, by_count.error),
    }
    table = pd.DataFrame.from_dict(lines, orient="index", columns=["exponent", "r2", "error"])
    table.insert(0, "ranks", f"{part.index[0]}-{part.index[-1]}")
    return table.rename_axis("method")


def coverage(counts: Counts, total: float | None = None) -> pd.Series:
    """For each rank k the share (0 to 1) of all occurrences that the k most frequent things hold.

    `total` is the number of all occurrences, for counts that leave rare things out. Raises ValueError for
    a total below the sum of the counts.
    """
    held = ranked(counts).cumsum()
    total = held.iloc[-1] if total is None else total
    if held.iloc[-1] > total:
        raise ValueError(f"the counts add up to {held.iloc[-1]}, more than the total {total}")
    return (held / total).rename("share")


def hapax_share(counts: Counts) -> float:
    """The share (0 to 1) of the distinct things that occur once."""
    return float((ranked(counts) == 1).mean())


def heaps(items: Iterable[Hashable]) -> pd.Series:
    """Heaps' curve: how many distinct items there are among the first n, for n from 1 to the end.

    Raises ValueError when there are no items.

    >>> heaps("banana").tolist()
    [1, 2, 3, 3, 3, 3]
    """
    seen: set[Hashable] = set()
    curve = []
    for item in items:
        seen.add(item)
        curve.append(len(seen))
    if not curve:
        raise ValueError("no items, no curve")
    return pd.Series(curve, index=pd.RangeIndex(1, len(curve) + 1, name="items"), name="distinct")


def row_work(cuts: Mapping[str, Sequence[int]], counts: Mapping[str, int], rows: int) -> pd.DataFrame:
    """What each row of a vocabulary does for words with counts: a line for each id from 0 to `rows` - 1.

    `cuts` holds the ids of each word. Columns: `uses`, in running tokens; `words`, the distinct words it
    occurs in; `whole`, whether one word is this token alone. Raises ValueError for a word without a count
    and for an id that is no row.
    """
    uses, words, whole = [0] * rows, [0] * rows, [False] * rows
    for word, ids in cuts.items():
        if word not in counts:
            raise ValueError(f"the word {word!r} has no count")
        if not all(0 <= id < rows for id in ids):
            raise ValueError(f"the word {word!r} has an id that is not in a table of {rows} rows")
        for id in ids:
            uses[id] += counts[word]
        for id in set(ids):
            words[id] += 1
        if len(ids) == 1:
            whole[ids[0]] = True
    return pd.DataFrame({"uses": uses, "words": words, "whole": whole}).rename_axis("id")
