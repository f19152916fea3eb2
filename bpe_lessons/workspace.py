"""The learner's own copies of the lessons in work/: made, opened, restored, and their exercises run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bpe_lessons.corpus import HERE, ROOT
from bpe_lessons.exercises import all_exercises
from bpe_lessons.text import write

# In a checkout work/ lies beside notebooks/; an installed package uses the folder it is called from.
WORK = (Path.cwd() if ROOT == HERE else ROOT) / "work"


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

    The state is what `check` says there: `all pass`, `not written yet`, or `not right yet`; `not checked`
    where the notebook no longer calls it or stops before.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    for number, shipped in lessons().items():
        states = {id: "not checked" for id in all_exercises() if id.startswith(number)}
        mine = WORK / shipped.name
        if not mine.exists():
            continue
        try:
            notebook = nbformat.read(mine, as_version=4)
        except (ValueError, nbformat.validator.ValidationError):
            raise ValueError(
                f"{mine} is not a notebook any more; bpe-lessons reset {number} restores it"
            ) from None
        client = NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(WORK)}},
        )
        with suppress(CellTimeoutError, DeadKernelError):  # what ran before counts
            client.execute()
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                said = re.match(r"(\d\d-\d+): (.*)", output.get("data", {}).get("text/plain", ""))
                if said and said[1] in states:
                    known = next(
                        (state for state in ("all pass", "not written yet") if said[2].startswith(state)), ""
                    )
                    states[said[1]] = known or "not right yet"
        yield number, states
