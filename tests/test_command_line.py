"""The command line as a user meets it: in its own process, with bytes in and out."""

import os
import subprocess
import sys

import pytest

from bpe_lessons import Tokenizer, corpus
from bpe_lessons.__main__ import main
from bpe_lessons.glyphs import to_glyphs
from bpe_lessons.walkthrough import Rules


def run(*arguments, input=b"", **environment):
    return subprocess.run(
        [sys.executable, "-m", "bpe_lessons", *(str(argument).encode() for argument in arguments)],
        input=input,
        capture_output=True,
        env={**os.environ, **environment},
    )


@pytest.fixture
def trained(tmp_path):
    path = tmp_path / "small.json"
    Tokenizer.train(corpus.text("mixed")[:3000], merges=30, special_tokens=["<|end|>"]).save(path)
    return path


def test_walkthrough(capsys):
    assert main(["walkthrough", "--form", "own", "--steps", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "corpus: low x5, lower x2, newest x6, widest x3"
    assert lines[-6].split()[:5] == ["1", "e", "+", "s", "es"]
    assert "s + t, t + _" in lines[-6]
    assert lines[-1].split()[:6] == ["6", "n", "+", "e", "ne", "6"]


def test_walkthrough_of_own_words(capsys):
    assert main(["walkthrough", "ab:2", "ab", "cab", "--ties", "smallest"]) == 0
    out = capsys.readouterr().out
    assert "corpus: ab x3, cab x1" in out
    assert out.endswith("stopped after 2 merges: no pair left\n")


def test_walkthrough_mine(capsys):
    assert main(["walkthrough", "--mine", "es est est_ lo low low_"]) == 0
    out = capsys.readouterr().out
    assert "Impossible from step 6 on: low_" in out
    assert "at step 6 low_ occurs 5 times; the right choice: n + e, e + w, w + est_ (6 times)" in out
    assert main(["walkthrough", "--mine", "es est lo low ew"]) == 0
    assert "ties smallest" in capsys.readouterr().out


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_train_encode_decode_keep_every_byte(tmp_path, newline):
    source = newline.join(["The lowest 你好 🚲", "", "x\t\0 e\u0301  "]).encode() * 3
    (tmp_path / "in.txt").write_bytes(source)
    done = run("train", tmp_path / "in.txt", "-o", tmp_path / "t.json", "--merges", 9)
    assert done.returncode == 0 and b"256 bytes + 9 merges" in done.stdout
    ids = run("encode", tmp_path / "t.json", tmp_path / "in.txt").stdout
    assert max(map(int, ids.split())) < 265
    assert run("decode", tmp_path / "t.json", input=ids).stdout == source


def test_train_from_standard_input(tmp_path):
    out = tmp_path / "t.json"
    done = run(
        "train",
        "-",
        "-o",
        out,
        "--vocab-size",
        259,
        "--special-token",
        "<s>",
        "--ties",
        "greatest",
        input=b"low low",
    )
    assert done.returncode == 0
    assert Tokenizer.load(out) == Tokenizer.train("low low", 259, special_tokens=["<s>"], ties="greatest")
    empty = run("train", "-", "-o", tmp_path / "e.json")
    assert empty.returncode == 0 and b"0 merges" in empty.stdout and b"no pair left" in empty.stdout


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "zh_CN.GB18030", "tr_TR.ISO-8859-9"])
def test_any_locale(trained, locale):
    settings = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ids = run("encode", trained, "--text", "你好", **settings)
    assert ids.returncode == 0, ids.stderr
    assert run("decode", trained, input=ids.stdout, **settings).stdout.decode() == "你好"
    shown = run("walkthrough", "低低:2", "--steps", "1", **settings).stdout.decode()
    assert "低 + 低" in shown


def test_decode_notes_broken_bytes(trained):
    done = run("decode", trained, input=b"[228, 189]")
    assert done.stdout.decode() == "\ufffd"
    assert b"not whole UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "input", "message"),
    [
        ([], b"", "required: COMMAND"),
        (["fly"], b"", "invalid choice: 'fly'"),
        (["walkthrough", "low:x"], b"", "'low:x' is not a word with a count"),
        (["walkthrough", "low:0"], b"", "'low:0' is not a word with a count"),
        (["walkthrough", ":3"], b"", "':3' is not a word with a count"),
        (["walkthrough", "--steps", "0"], b"", "'0' is not a whole number of at least 1"),
        (["walkthrough", "--ties", "last"], b"", "invalid choice: 'last'"),
        (["walkthrough", "--mine", ""], b"", "the list of merges is empty"),
        (["walkthrough", "--form", "own", "--marker", ""], b"", "needs a marker"),
        (["train", "missing.txt", "-o", "x.json"], b"", "missing.txt: No such file"),
        (["train", "-"], b"", "required: -o/--output"),
        (["train", "-", "-o", "nowhere/x.json"], b"a", "'nowhere/x.json' is no file in a folder that exists"),
        (["train", "-", "-o", "x.json", "--vocab-size", "20"], b"a", "below the floor of 256"),
        (["train", "-", "-o", "x.json", "--merges", "-1"], b"a", "merges is -1"),
        (["train", "-", "-o", "x.json", "--merges", "1", "--vocab-size", "300"], b"a", "not allowed with"),
        (["train", "-", "-o", "x.json", "--pattern", "gpt5"], b"a", "unknown pattern 'gpt5'"),
        (
            ["train", "-", "-o", "x.json"],
            b"caf\xe9",
            "byte 0xe9 at offset 3; it may be cp1252; --encoding names another",
        ),
        (["train", "-", "-o", "x.json", "--encoding", "klingon"], b"a", "unknown encoding"),
        (["train", "-", "-o", "x.json", "--special-token", ""], b"a", "special_tokens[0]"),
        (["encode", "missing.json"], b"", "missing.json: No such file"),
        (["encode", "TRAINED"], b"low <|end|>", "special token '<|end|>' at character 4"),
        (["encode", "TRAINED", "--loud"], b"", "does not know --loud"),
        (["encode", "DAMAGED"], b"", "damaged.json: line 1"),
        (["decode", "TRAINED"], b"1 x 2", "'x' is not an id"),
        (["decode", "TRAINED"], b"1 -7", "id -7 is not in the vocabulary (0 to 286)"),
        (["decode", "TRAINED"], b"287", "id 287 is not in the vocabulary (0 to 286)"),
        (["reset", "99"], b"", "there is no lesson '99'; there are 01"),
    ],
)
def test_bad_input_is_one_sentence(trained, tmp_path, arguments, input, message):
    (tmp_path / "damaged.json").write_text("{", encoding="utf-8")
    names = {"TRAINED": trained, "DAMAGED": tmp_path / "damaged.json"}
    before = sorted(os.listdir(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "bpe_lessons", *[str(names.get(a, a)) for a in arguments]],
        input=input,
        capture_output=True,
        cwd=tmp_path,
    )
    error = done.stderr.decode()
    assert done.returncode == 2
    assert message in error
    assert error.count("\n") == 1 and "Traceback" not in error
    assert sorted(os.listdir(tmp_path)) == before


def test_options_may_stand_anywhere(trained, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"low")
    expected = run("encode", trained, tmp_path / "a.txt").stdout
    assert run("encode", trained, "--special", "text", tmp_path / "a.txt").stdout == expected
    shown = run("walkthrough", "low:5", "--steps", "1", "lower:2").stdout.decode()
    assert shown.startswith("corpus: low x5, lower x2")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_ordinary_file_is_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for out in (tmp_path / "pipe", tmp_path):
        refused = run("train", "-", "-o", out, "--force", input=b"low")
        assert refused.returncode == 2 and refused.stderr.count(b"\n") == 1
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    assert run("train", "-", "-o", tmp_path / "link.json", input=b"low").returncode == 2
    assert run("train", "-", "-o", tmp_path / "link.json", "--force", input=b"low").returncode == 0
    assert (tmp_path / "link.json").is_symlink()
    assert Tokenizer.load(tmp_path / "real.json").stopped == "no pair left"


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell is needed")
def test_closed_streams_are_one_sentence(trained):
    for command, expected in (
        ("encode {t} <&-", b"standard input: is closed"),
        ("encode {t} --text low >&-", b"standard output is closed"),
        ("encode {t} --text low >/dev/full", b"standard output: No space left"),
    ):
        shell = f"{sys.executable} -m bpe_lessons {command.format(t=trained)}"
        done = subprocess.run(shell, shell=True, capture_output=True)
        assert done.returncode == 2 and expected in done.stderr and done.stderr.count(b"\n") == 1


def test_mine_takes_the_marker_of_the_list(capsys):
    assert main(["walkthrough", "aX:1", "a:1", "--mine", "a</w>"]) == 0
    assert "form own" in capsys.readouterr().out
    assert main(["walkthrough", "aX:1", "a:1", "--mine", "aX"]) == 0
    assert "greatest" in capsys.readouterr().out


def test_nothing_is_overwritten_unasked(trained):
    before = trained.read_bytes()
    refused = run("train", "-", "-o", trained, input=b"low")
    assert refused.returncode == 2 and b"--force" in refused.stderr
    assert trained.read_bytes() == before
    assert run("train", "-", "-o", trained, "--force", input=b"low").returncode == 0
    assert trained.read_bytes() != before


def test_special_policies(trained):
    assert run("encode", trained, "--text", "<|end|>", "--special", "special").stdout == b"286\n"
    assert len(run("encode", trained, "--text", "<|end|>", "--special", "text").stdout.split()) > 1


def test_help_names_every_command():
    shown = run("--help").stdout.decode()
    for command in ("walkthrough", "train", "encode", "decode", "lab", "reset", "progress"):
        assert command in shown
        assert run(command, "--help").returncode == 0


def test_a_closed_pipe_is_no_error(trained):
    command = f"{sys.executable} -m bpe_lessons encode {trained} | head -c 3"
    done = subprocess.run(command, shell=True, input=b"low " * 100_000, capture_output=True)
    assert done.stderr == b""


def test_mine_reads_a_list_printed_in_glyphs(capsys):
    rules = Rules("space", "smallest", "bytes")
    steps, vocabulary = rules.run({"低低": 3, "高": 2}, 4)
    printed = " ".join(to_glyphs(vocabulary[step.new_id]) for step in steps)
    assert main(["walkthrough", "低低:3", "高:2", "--mine", printed]) == 0
    said = capsys.readouterr().out
    assert "This list comes from:" in said and "ties smallest, alphabet bytes" in said
    assert main(["walkthrough", "low:1", "--mine", "äx"]) == 0
    assert "Impossible from step 1 on: äx" in capsys.readouterr().out
