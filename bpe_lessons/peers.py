"""The libraries the benchmark runs beside the engine, each set up for the same work in its fastest way."""

import importlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from typing import Any

from bpe_lessons import engine, files, lesson
from bpe_lessons.bench import Contest, Entry, fit
from bpe_lessons.glyphs import from_glyphs
from bpe_lessons.split import PATTERNS, count
from bpe_lessons.tokenizer import Tokenizer

PEERS = ("tokenizers", "tiktoken", "rustbpe")
PATTERN = "gpt4"
SIZES = (8192, 32768)  # entries of the vocabularies
ENCODED = 10_000_000  # bytes encoded at most
SMALL, FEW = 30_000, 456  # bytes, and entries, for the trainers in plain Python
LETTERS = (1_000_000, 500_000)  # how often one letter is repeated
PART, SHORT = 100_000, 1000  # characters of the texts of a batch; tokenizers and rustbpe like short ones
CORES = os.cpu_count() or 1
ONE, ALL, OURS = "1 thread", f"{CORES} threads", "bpe-lessons"


def installed() -> dict[str, str | None]:
    """Each peer and its version, None where it is not installed."""
    found: dict[str, str | None] = dict.fromkeys(PEERS)
    for name in PEERS:
        try:
            importlib.import_module(name)
            found[name] = version(name)
        except (ImportError, PackageNotFoundError):
            continue
    return found


def contests(texts: Mapping[str, str], sizes: Sequence[int] = SIZES) -> list[Contest]:
    """Training to each size and encoding with the last, on every text; then two special cases."""
    found = [one for name, text in texts.items() for size in sizes for one in training(name, text, size)]
    found += [one for name, text in texts.items() for one in encoding(name, text, sizes[-1])]
    name, text = next(iter(texts.items()))
    found += [plain_python(name, fit(text, min(SMALL, len(text.encode())))), one_letter()]
    here = {OURS, "the lesson"} | {name for name, version in installed().items() if version}
    return [
        replace(one, entries=tuple(entry for entry in one.entries if entry.name.split(",")[0] in here))
        for one in found
    ]


# Training


def train(
    text: str, size: int, alphabet: str = "bytes", ties: str = "smallest", processes: int = CORES
) -> Any:
    """Our tokenizer of a text."""
    counts = engine.count(text, PATTERN, processes)
    tokenizer = Tokenizer.train(counts, size, pattern=PATTERN, ties=ties, alphabet=alphabet)
    if tokenizer.stopped == "stopped by hand":
        raise KeyboardInterrupt
    return tokenizer


def tokens(tokenizer: Tokenizer) -> list[bytes]:
    """The tokens learned, in order."""
    return [tokenizer.vocabulary[id] for id in range(256, len(tokenizer))]


def training(name: str, text: str, size: int) -> Iterator[Contest]:
    """Yield a contest in each order of the bytes; the smallest pair of ids wins a tie, as in the peers."""
    parts = cut(text, SHORT)

    def tokenizers(library: Any) -> Any:
        glyphs = library.pre_tokenizers.ByteLevel.alphabet()
        trainer = library.trainers.BpeTrainer(vocab_size=size, show_progress=False, initial_alphabet=glyphs)
        model = huggingface(Tokenizer((), PATTERN))
        model.train_from_iterator(parts, trainer)
        return model

    def rustbpe(library: Any) -> Any:
        model = library.Tokenizer()
        model.train_from_iterator(parts, size, pattern=PATTERNS[PATTERN][0])
        return model

    peers = {
        "glyphs": Entry("tokenizers", ALL, tokenizers, huggingface_tokens, library("tokenizers")),
        "bytes": Entry("rustbpe", ALL, rustbpe, rustbpe_tokens, library("rustbpe")),
    }
    uses = f"{CORES} processes count, 1 merges"
    for alphabet, peer in peers.items():
        mine = Entry(OURS, uses, partial(train, text, size), tokens, partial(str, alphabet))
        yield Contest(f"train {size:,}, {alphabet} order", name, (mine, peer))


def library(name: str) -> Callable[[], Any]:
    """What imports a library when it is called."""
    return partial(importlib.import_module, name)


def cut(text: str, size: int) -> list[str]:
    """The text in parts of about `size` characters whose pieces are the pieces of the text."""
    return list(engine.Cutter(PATTERNS[PATTERN]).stretches(text, size))


def huggingface(tokenizer: Tokenizer) -> Any:
    """Our tokenizer as one of Hugging Face's."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")  # else it warns when our processes start
    loads: Any = importlib.import_module("tokenizers").Tokenizer.from_str
    return loads(json.dumps(files.to_tokenizer_json(tokenizer)))


def huggingface_tokens(model: Any) -> list[bytes]:
    """The tokens of a trained Hugging Face model, merge by merge."""
    return [from_glyphs("".join(pair)) for pair in json.loads(model.to_str())["model"]["merges"]]


def rustbpe_tokens(model: Any) -> list[bytes]:
    """The tokens of a trained rustbpe model, in order."""
    ranks = [(rank, bytes(token)) for token, rank in model.get_mergeable_ranks()]
    return [token for rank, token in sorted(ranks) if rank > 255]


def plain_python(name: str, text: str) -> Contest:
    """A contest on a small text with the trainers that are written to be read; the pair seen first wins."""
    trainer = library("tiktoken._educational")

    def educational(library: Any) -> Any:
        return library.bpe_train(text, FEW, PATTERNS[PATTERN][0], visualise=None)

    def taught(_: Any) -> Tokenizer:
        corpus, vocabulary = lesson.spell(count(text, PATTERN))
        merges = lesson.learn(lesson.train(corpus, vocabulary, FEW - 256)).merges
        return Tokenizer(tuple(merges), PATTERN)

    entries = (
        Entry(OURS, "1 process", lambda _: train(text, FEW, "bytes", "first", 1), tokens),
        Entry("the lesson", ONE, taught, tokens),
        Entry("tiktoken, educational", ONE, educational, lambda ranks: list(ranks)[256:], trainer),
    )
    return Contest(f"train {FEW} on {len(text.encode()):,} bytes", name, entries)


# Encoding


def encoding(name: str, text: str, size: int) -> Iterator[Contest]:
    """Yield a contest with empty caches, one with full ones, one on all cores; all have our tokenizer."""
    trained: Callable[[], Tokenizer] = cache(lambda: train(text, size))
    source = fit(text, min(ENCODED, len(text.encode())))
    parts, short = cut(source, PART), cut(source, SHORT)

    def ours() -> Tokenizer:
        tokenizer = replace(trained(), whole_pieces=True)  # tiktoken looks whole pieces up first, so do we
        tokenizer.encode("makes its tables")
        return tokenizer

    def tiktoken() -> Any:
        make = library("tiktoken")().Encoding
        ranks = trained().token_ids
        return make("bench", pat_str=PATTERNS[PATTERN][0], mergeable_ranks=ranks, special_tokens={})

    @cache
    def rustbpe() -> Any:  # encodes only with what it has trained
        model = library("rustbpe")().Tokenizer()
        model.train_from_iterator(cut(text, SHORT), size, pattern=PATTERNS[PATTERN][0])
        return model

    def warm(make: Callable[[], Any], encode: Callable[[Any], Any]) -> Callable[[], Any]:
        @cache
        def made() -> Any:
            model = make()
            encode(model)
            return model

        return made

    def theirs() -> Any:
        return huggingface(trained())

    def whole(model: Any) -> Any:
        return model.encode(source)

    def part_by_part(model: Any) -> Any:
        return list(chain.from_iterable(model.encode(part).ids for part in short))

    with_tiktoken = Entry("tiktoken", ONE, lambda model: model.encode_ordinary(source), list, tiktoken)
    size_name = f"{len(source.encode()) / 1e6:.1f} MB, {size:,} entries"
    yield Contest(
        f"encode {size_name}, cold",
        name,
        (
            Entry(OURS, "1 process", whole, list, ours),
            with_tiktoken,
            Entry("tokenizers", ONE, part_by_part, list, theirs),
            Entry("rustbpe", ONE, whole, list, rustbpe),
        ),
    )
    yield Contest(
        f"encode {size_name}, warm",
        name,
        (
            Entry(OURS, "1 process", whole, list, warm(ours, whole)),
            with_tiktoken,
            Entry("tokenizers", ONE, part_by_part, list, warm(theirs, part_by_part)),
        ),
    )
    yield Contest(
        f"encode {size_name}, all cores",
        name,
        (
            Entry(OURS, f"{CORES} processes", lambda model: model.encode_batch(parts, CORES), joined, ours),
            Entry(
                "tiktoken",
                ALL,
                lambda model: model.encode_ordinary_batch(parts, num_threads=CORES),
                joined,
                tiktoken,
            ),
            Entry(
                "tokenizers",
                ALL,
                lambda model: [one.ids for one in model.encode_batch_fast(short)],
                joined,
                theirs,
            ),
            Entry("rustbpe", ALL, lambda model: model.batch_encode(short), joined, rustbpe),
        ),
    )


def joined(parts: list[list[int]]) -> list[int]:
    """The ids of all parts."""
    return list(chain.from_iterable(parts))


def one_letter() -> Contest:
    """A contest of ours with itself: one letter repeated, and half as often; a ratio of 4 were quadratic."""
    tokenizer = Tokenizer.train("a" * 1024, merges=9)

    def letters(ids: list[int]) -> list[str]:
        return sorted(set(tokenizer.decode(ids)))

    entries = (
        Entry(f"{OURS}, {times:,} times", "1 process", tokenizer.encode, letters, partial("a".__mul__, times))
        for times in LETTERS
    )
    return Contest("encode one repeated letter", "a", tuple(entries))
