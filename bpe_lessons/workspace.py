"""The learner's own copies of the lessons in work/: made, opened, restored, and their exercises run."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bpe_lessons.corpus import HERE, ROOT
from bpe_lessons.exercises import REPORTS, all_exercises
from bpe_lessons.text import write


def work_folder() -> Path:
    """work/ beside notebooks/ in a checkout; for an installed package in the folder it is called from."""
    if ROOT != HERE:
        return ROOT / "work"
    here = Path.cwd()
    return here if here.name == "work" and any(here.glob("[0-9][0-9]_*.ipynb")) else here / "work"


WORK = work_folder()


def lessons() -> dict[str, Path]:
    """The lessons by number: `02` -> the notebook as shipped."""
    return {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}


def make_copies() -> list[Path]:
    """Copy the lessons that work/ does not have yet; what is there is never touched. The new files."""
    WORK.mkdir(exist_ok=True)
    missing = [path for path in lessons().values() if not (WORK / path.name).exists()]
    for path in missing:
        write(WORK / path.name, path.read_bytes())
    return [WORK / path.name for path in missing]


def restore(number: str) -> tuple[Path, Path | None]:
    """Put the shipped lesson back into work/: its path, and the backup of the learner's copy, if any.

    Raises ValueError for a lesson that does not exist.
    """
    shipped = lessons().get(number.zfill(2))
    if not shipped:
        raise ValueError(f"there is no lesson {number!r}; there are {', '.join(lessons())}")
    WORK.mkdir(exist_ok=True)
    mine, backup = WORK / shipped.name, None
    if mine.exists():
        names = (WORK / f"{mine.stem}.backup-{n}.ipynb" for n in range(1, 10_000))
        backup = next(path for path in names if not path.exists())
        shutil.copy2(mine, backup)
    write(mine, shipped.read_bytes(), overwrite=True)
    return mine, backup


def open_lab(options: list[str]) -> int:
    """Start JupyterLab on lesson 01 in work/ and wait for its end; its exit code. It gets the options."""
    first = WORK / lessons()["01"].name
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={WORK}",
        *as_root,
        *options,
        str(first),
    ]
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 0


def progress() -> Iterator[tuple[str, dict[str, str]]]:
    """Run the learner's notebooks one by one; yield each lesson's number and its exercises with their state.

    The state is what `check` says there: `all pass`, `not written yet` or `not right yet`; `not checked`
    where the notebook does not call it or stops before.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    for number, shipped in lessons().items():
        mine = WORK / shipped.name
        if not mine.exists():
            continue
        states = dict.fromkeys((id for id in all_exercises() if id.startswith(number)), "not checked")
        try:
            notebook = nbformat.read(mine, as_version=4)
        except (ValueError, AttributeError, nbformat.validator.ValidationError):
            problem = f"{mine.name} is not a notebook any more; bpe-lessons reset {number} restores it"
            yield number, dict.fromkeys(states, problem)
            continue
        folder = {"metadata": {"path": str(WORK)}}
        client = NotebookClient(
            notebook, timeout=120, kernel_name="python3", allow_errors=True, resources=folder
        )
        with tempfile.TemporaryDirectory() as place:
            said = Path(place) / "reports"
            said.touch()
            with suppress(CellTimeoutError, DeadKernelError):  # what ran before counts
                client.execute(env={**os.environ, REPORTS: str(said)}, stderr=subprocess.DEVNULL)
            for line in said.read_text(encoding="utf-8").splitlines():
                id, _, state = line.partition(" ")
                if id in states:
                    states[id] = state
        yield number, states
