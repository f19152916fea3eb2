"""Trains and encodes beside every installed peer: outputs are compared first, unequal work gets no ratio."""

import gc
import hashlib
import os
import platform
import random
import statistics
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bpe_lessons import __version__, corpus

SEED = 4  # of the order of the source files and of the words drawn


@dataclass(frozen=True)
class Entry:
    """One side of a contest. `run` is timed; `prepare`, which makes its argument, and `read` are not."""

    name: str
    uses: str
    run: Callable[[Any], Any]
    read: Callable[[Any], Sequence[Any]] = list
    prepare: Callable[[], Any] = lambda: None


@dataclass(frozen=True)
class Contest:
    """The same work on the same text. The first entry is the one the others are compared with."""

    work: str
    text: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Row:
    """What an entry did. `ratio` is the first entry's median by its own; none where outputs differ."""

    name: str
    uses: str
    seconds: list[float]
    median: float | None
    spread: float | None  # (slowest - fastest) / median, of two runs or more
    ratio: float | None
    note: str  # where its output differs, or how it failed


def measure(contest: Contest, runs: int, on_run: Callable[[str], object] = str) -> list[Row]:
    """The rows of a contest whose entries run in turn. After an unequal output an entry runs no more.

    `on_run` is called before each run with a description of it.
    """
    seconds: list[list[float]] = [[] for _ in contest.entries]
    notes = ["" for _ in contest.entries]
    expected: Sequence[Any] = ()
    for turn in range(runs):
        for i, entry in enumerate(contest.entries):
            on_run(f"{contest.work}, {contest.text}: {entry.name}")
            if notes[i]:
                continue
            try:
                state = entry.prepare()
                gc.collect()
                start = time.perf_counter()
                answer = entry.run(state)
                seconds[i].append(time.perf_counter() - start)
                output = entry.read(answer)
            except Exception as error:
                if i == 0:
                    raise
                notes[i] = f"failed: {type(error).__name__}: {error}"
                continue
            expected = output if turn == i == 0 else expected
            notes[i] = difference(output, expected)
    medians = [statistics.median(times) if times else None for times in seconds]
    rows = []
    for entry, times, median, note in zip(contest.entries, seconds, medians, notes):
        spread = (max(times) - min(times)) / median if median and len(times) > 1 else None
        ratio = medians[0] / median if medians[0] and median and not note and not notes[0] else None
        rows.append(Row(entry.name, entry.uses, times, median, spread, ratio, note))
    return rows


def difference(output: Sequence[Any], expected: Sequence[Any]) -> str:
    """Where an output parts from the expected one, counted from 1; nothing where they are equal."""
    if output == expected:
        return ""
    same = next((i for i, (one, other) in enumerate(zip(output, expected)) if one != other), None)
    where = f"of another length: {len(output):,}" if same is None else f"from number {same + 1:,} on"
    return f"other output {where}"


def report(
    texts: Mapping[str, str],
    contests: Sequence[Contest],
    peers: Mapping[str, str | None],
    runs: int,
    on_run: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Everything there is to say about a run, as JSON holds it: the machine, the texts, the contests."""
    encoded = {name: text.encode() for name, text in texts.items()}
    return {
        "bpe_lessons": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count() or 1,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,  # what else was running
        "peers": dict(peers),
        "seed": SEED,
        "runs": runs,
        "texts": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in encoded.items()
        ],
        "contests": [
            {"work": it.work, "text": it.text, "rows": [asdict(row) for row in measure(it, runs, on_run)]}
            for it in contests
        ],
    }


# Texts found on any machine


def found_texts(size: int) -> dict[str, str]:
    """Texts of `size` bytes: this Python's sources, the course's own (not repeated), words drawn by count."""
    own = "".join(map(corpus.text, corpus.TEXTS))
    words = Counter(corpus.text("english").split())
    drawn = random.Random(SEED).choices(list(words), list(words.values()), k=size // 4)
    texts = {"sources": "".join(sources(size)), "course": own, "drawn": " ".join(drawn)}
    sizes = {"course": min(size, len(own.encode()))}
    return {name: fit(text, sizes.get(name, size)) for name, text in texts.items() if text}


def sources(size: int) -> Iterator[str]:
    """Yield files of the standard library in an order drawn with SEED, until they hold `size` characters."""
    folder = Path(sysconfig.get_path("stdlib"))
    paths = sorted(
        path for path in folder.rglob("*.py") if not {"site-packages", "dist-packages"} & set(path.parts)
    )
    random.Random(SEED).shuffle(paths)
    for path in paths:
        if size <= 0:
            return
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, ValueError):  # tests of encodings
            continue
        size -= len(text)
        yield text


def fit(text: str, size: int) -> str:
    """The text cut to `size` bytes or repeated up to them; 0: as it is. ValueError for an empty text."""
    if not text:
        raise ValueError("the corpus is empty")
    if not size:
        return text
    data = text.encode("utf-8")
    return (data * -(-size // len(data)))[:size].decode("utf-8", "ignore")
