"""Count pieces: of a text or of files larger than memory, in one process or several."""

import codecs
import sys
import threading
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bpe_lessons.engine.cut import Cutter
from bpe_lessons.split import find_pattern
from bpe_lessons.text import suggestion

CHUNK = 1 << 22  # bytes read, or characters handed to a process, at a time


def count(
    source: str | Path | Iterable[str | Path],
    pattern: str | tuple[str, ...] = "gpt4",
    processes: int = 1,
    client: Any = None,
    on_read: Callable[[int], object] | None = None,
) -> dict[str, int]:
    """How often each distinct piece occurs, in the order first seen: the counts of `split.count`.

    `source` is a text (str), a file (Path), or several files; a file is read in chunks as UTF-8, never as
    a whole. Memory grows with the number of distinct pieces. The answer does not depend on `processes`, nor
    on `client`: a Dask client, whose workers then count one file each (they must see the files).
    `on_read` is called with the number of bytes of each chunk of a file.
    Raises ValueError naming the offset where a file is not UTF-8.
    """
    cutter = Cutter(find_pattern(pattern))
    if isinstance(source, str):
        stretches = cutter.stretches(source, CHUNK)
    else:
        paths = [source] if isinstance(source, Path) else [Path(path) for path in source]
        stretches = (stretch for path in paths for stretch in cutter.of_chunks(read_chunks(path, on_read)))
    if client is not None:
        if isinstance(source, str):
            raise ValueError("a Dask client counts files, not a text")
        parts = client.gather(client.map(partial(count, pattern=pattern), paths, pure=False))
        return add_up(parts)
    return add_up(_counted(stretches, cutter, processes))


def add_up(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of all parts, in the order first seen."""
    total: dict[str, int] = {}
    for counts in parts:
        for piece, n in counts.items():
            total[piece] = total.get(piece, 0) + n
    return total


def read_chunks(path: Path, on_read: Callable[[int], object] | None = None) -> Iterator[str]:
    """Yield the text of a UTF-8 file chunk by chunk, line ends as they are, without a byte order mark."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    with open(path, "rb") as file:
        while data := file.read(CHUNK):
            try:
                text = decoder.decode(data)
            except UnicodeDecodeError as error:
                start = done + error.start - (len(error.object) - len(data))
                found = f"byte {error.object[error.start]:#04x} at offset {start}"
                raise ValueError(f"{path} is not utf-8: {found}{suggestion(error.object)}") from None
            yield text.removeprefix("\ufeff") if not done else text
            done += len(data)
            if on_read:
                on_read(len(data))
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} ends inside a character, at offset {done - len(error.object)}") from None


@contextmanager
def workers(processes: int, *begin: Any) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes; `begin` is a function that each calls first, and its arguments.

    They start by fork on Linux while Python has one thread, for it is ten times quicker than a new Python.
    """
    way = "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
    with warnings.catch_warnings():
        # Python warns of any thread; those of numpy and other libraries are not used in the workers
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        with ProcessPoolExecutor(processes, get_context(way), *begin) as pool:
            yield pool


def _counted(stretches: Iterable[str], cutter: Cutter, processes: int) -> Iterator[dict[str, int]]:
    """Yield the counts of each stretch, in order, whichever process is first."""
    if processes <= 1:
        yield from (_count(stretch, cutter) for stretch in stretches)
        return
    with workers(processes) as pool:
        waiting: deque[Future[dict[str, int]]] = deque()
        for stretch in stretches:
            waiting.append(pool.submit(_count, stretch, cutter))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _count(stretch: str, cutter: Cutter) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for pieces in cutter.pieces(stretch):
        counts.update(pieces)
    return dict(counts)
