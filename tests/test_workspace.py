"""The learner's copies: made once, never overwritten, restored with a backup, and their exercises run."""

import os
import signal
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from bpe_lessons import workspace


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setattr(workspace, "WORK", tmp_path / "work")
    return tmp_path / "work"


def test_copies_are_never_overwritten(work):
    made = workspace.make_copies()
    assert [path.name for path in made] == [path.name for path in workspace.lessons().values()]
    mine = made[0]
    mine.write_text("my own work", encoding="utf-8")
    made[1].unlink()
    assert workspace.make_copies() == [made[1]]
    assert mine.read_text(encoding="utf-8") == "my own work"


def test_reset_keeps_every_backup(work):
    path, backup = workspace.restore("2")
    assert backup is None and path.read_bytes() == workspace.lessons()["02"].read_bytes()
    for n, content in enumerate(("first", "second"), 1):
        path.write_text(content, encoding="utf-8")
        assert workspace.restore("02") == (path, work / f"{path.stem}.backup-{n}.ipynb")
    assert path.read_bytes() == workspace.lessons()["02"].read_bytes()
    assert [(work / f"{path.stem}.backup-{n}.ipynb").read_text("utf-8") for n in (1, 2)] == [
        "first",
        "second",
    ]
    with pytest.raises(ValueError, match="no lesson '77'"):
        workspace.restore("77")


def write_notebook(path, *cells):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    path.parent.mkdir(exist_ok=True)
    nbformat.write(notebook, path)


def test_progress(work):
    assert list(workspace.progress()) == []
    write_notebook(
        work / workspace.lessons()["02"].name,
        "from bpe_lessons import check",
        "check('02-1', 9)",
        "check('02-2', ...)",
        "check('02-4', lambda size, special: size)",
        "1 / 0",
    )
    ((number, states),) = workspace.progress()
    assert number == "02"
    assert states == {
        "02-1": "all pass",
        "02-2": "not written yet",
        "02-3": "not checked",
        "02-4": "not right yet",
        "02-5": "not checked",
    }


def test_progress_sees_a_check_wherever_it_stands(work):
    write_notebook(
        work / workspace.lessons()["02"].name,
        "from bpe_lessons import check\nprint(check('02-1', 9)); check('02-2', ...)\nx = 1",
    )
    ((_, states),) = workspace.progress()
    assert (states["02-1"], states["02-2"]) == ("all pass", "not written yet")


@pytest.mark.parametrize("content", ["{", "[]", ""])
def test_progress_names_a_damaged_notebook_and_goes_on(work, content):
    work.mkdir()
    (work / workspace.lessons()["01"].name).write_text(content, encoding="utf-8")
    write_notebook(work / workspace.lessons()["02"].name, "1")
    (_, damaged), (number, _) = workspace.progress()
    assert set(damaged.values()) == {
        "01_text_is_bytes.ipynb is not a notebook any more; bpe-lessons reset 01 restores it"
    }
    assert number == "02"


def test_lab_answers(tmp_path):
    """bpe-lessons lab copies the lessons, starts JupyterLab, and serves the first lesson."""
    program = (
        "import sys; from pathlib import Path; from bpe_lessons import workspace, __main__\n"
        f"workspace.WORK = Path({str(tmp_path / 'work')!r})\n"
        "sys.exit(__main__.main(sys.argv[1:]))"
    )
    port = 18_000 + os.getpid() % 2_000
    server = subprocess.Popen(
        [
            sys.executable,
            "-c",
            program,
            "lab",
            "--no-browser",
            f"--port={port}",
            "--IdentityProvider.token=t",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={
            **os.environ,
            "JUPYTER_RUNTIME_DIR": str(tmp_path / "r"),
            "JUPYTER_CONFIG_DIR": str(tmp_path / "c"),
        },
    )
    try:
        url = f"http://127.0.0.1:{port}/api/contents/01_text_is_bytes.ipynb?token=t&content=0"
        for _ in range(300):
            assert server.poll() is None, "the server has stopped"
            try:
                with urllib.request.urlopen(url, timeout=5) as answer:
                    assert answer.status == 200
                    break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail("the server never answered")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
