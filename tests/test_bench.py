"""The benchmark says what is true: equal outputs first, no ratio without them. No test looks at a time."""

import itertools
import json
import subprocess
import sys
from dataclasses import replace

import pytest

from bpe_lessons import Tokenizer, bench, corpus, peers
from bpe_lessons.__main__ import main, show_report
from bpe_lessons.bench import Contest, Entry, Row, measure

TINY = corpus.text("mixed")[:3000]


def entry(name, output, **fields):
    return Entry(name, "1 thread", lambda _: output, **fields)


def failing(_):
    raise RuntimeError("no such pattern")


def test_unequal_output_has_no_ratio():
    mine = entry("ours", [b"es", b"est"])
    others = [entry("same", [b"es", b"est"]), entry("other", [b"es", b"st"]), entry("short", [b"es"])]
    ours, same, other, short = measure(Contest("train", "a text", (mine, *others)), runs=3)
    assert ours.ratio == 1 and same.ratio > 0 and not same.note
    assert other.ratio is None and other.note == "other output from number 2 on"
    assert short.ratio is None and short.note == "other output of another length: 1"
    assert len(same.seconds) == 3 and len(other.seconds) == 1


def test_an_output_that_changes_between_runs_is_unequal():
    outputs = iter([[1], [1], [1], [2]])
    changing = Entry("changing", "", lambda _: next(outputs))
    _, peer = measure(Contest("encode", "", (entry("ours", [1]), changing)), runs=4)
    assert peer.ratio is None and peer.note
    outputs = iter([[1], [2]])
    ours, peer = measure(Contest("encode", "", (changing, entry("peer", [1]))), runs=2)
    assert ours.ratio is None and peer.ratio is None and ours.note and not peer.note


def test_a_peer_that_fails_is_named_and_we_are_not_excused():
    broken = Entry("broken", "", failing)
    ours, peer = measure(Contest("train", "", (entry("ours", [1]), broken)), runs=2)
    assert peer == Row("broken", "", [], None, None, None, "failed: RuntimeError: no such pattern")
    assert ours.ratio == 1
    with pytest.raises(RuntimeError):
        measure(Contest("train", "", (broken, entry("peer", [1]))), runs=1)


def test_runs_take_turns_and_only_run_is_timed(monkeypatch):
    done, clock = [], itertools.count()
    monkeypatch.setattr(bench.time, "perf_counter", lambda: next(clock))

    def side(name):
        def note(what, answer):
            done.append(name + what)
            return answer

        prepare, read = (lambda: note(" prepares", 0)), (lambda answer: note(" is read", [answer]))
        return Entry(name, "", lambda state: note(" runs", 1), read, prepare)

    told = []
    rows = measure(Contest("w", "t", (side("a"), side("b"))), 2, told.append)
    assert done == [name + what for name in "abab" for what in (" prepares", " runs", " is read")]
    assert told == ["w, t: a", "w, t: b"] * 2
    assert all(row.seconds == [1, 1] and row.median == row.ratio == 1 and row.spread == 0 for row in rows)


def test_texts_are_the_same_each_time_and_as_long_as_asked():
    texts = bench.found_texts(20_000)
    assert texts == bench.found_texts(20_000)
    assert list(texts) == ["sources", "course", "drawn"]
    assert all(20_000 - 3 <= len(text.encode()) <= 20_000 for text in texts.values())
    large = bench.found_texts(600_000)
    assert large["drawn"].startswith(texts["drawn"]) and len(large["course"].encode()) < 600_000
    assert set(texts["drawn"].split()[:-1]) <= set(corpus.text("english").split())


def test_fit():
    assert bench.fit("你好", 0) == "你好"
    assert bench.fit("你好", 5) == "你"
    assert bench.fit("ab", 5) == "ababa"
    with pytest.raises(ValueError, match="the corpus is empty"):
        bench.fit("", 5)


@pytest.fixture(scope="module")
def small_report():
    patch = pytest.MonkeyPatch()
    patch.setattr(peers, "LETTERS", (2000, 1000))
    patch.setattr(peers, "FEW", 266)
    contests = peers.contests({"tiny": TINY}, (300,))
    yield bench.report({"tiny": TINY}, contests, peers.installed(), runs=2)
    patch.undo()


def test_the_report_has_its_fields_and_survives_json(small_report):
    assert json.loads(json.dumps(small_report)) == small_report
    named = {"bpe_lessons", "python", "platform", "cores", "load", "peers", "seed", "runs", "texts"}
    assert set(small_report) == named | {"contests"}
    assert small_report["seed"] == bench.SEED and small_report["runs"] == 2 and small_report["cores"] >= 1
    (text,) = small_report["texts"]
    assert text["name"] == "tiny" and text["bytes"] == len(TINY.encode()) and len(text["sha256"]) == 64
    works = [contest["work"] for contest in small_report["contests"]]
    assert works[:2] == ["train 300, glyphs order", "train 300, bytes order"]
    assert [work.rpartition(", ")[2] for work in works[2:5]] == ["cold", "warm", "all cores"]
    for contest in small_report["contests"]:
        assert set(contest) == {"work", "text", "rows"}
        assert contest["rows"][0]["name"].startswith("bpe-lessons")
        for row in contest["rows"]:
            assert set(row) == {"name", "uses", "seconds", "median", "spread", "ratio", "note"}


def test_every_installed_peer_gives_equal_output(small_report):
    taken_part = set()
    for contest in small_report["contests"]:
        for row in contest["rows"]:
            assert not row["note"], (contest["work"], row)
            assert row["ratio"] > 0 and len(row["seconds"]) == 2
            taken_part.add(row["name"].split(",")[0])
    here = {name for name, version in peers.installed().items() if version}
    assert taken_part == here | {"bpe-lessons", "the lesson"}


def test_the_table_shows_no_ratio_for_unequal_work(small_report):
    shown = show_report(small_report)
    assert shown.splitlines()[0].startswith("bpe-lessons ") and "seed 4" in shown
    contest = replace(Contest("train 300", "tiny", ()), entries=(entry("ours", [1]), entry("peer", [2])))
    shown = show_report(bench.report({"tiny": TINY}, [contest], {"peer": "1.2", "lost": None}, runs=1))
    assert "peers: peer 1.2, lost not installed" in shown
    assert shown.splitlines()[-1].endswith("other output from number 1 on")


def test_missing_peers_are_listed_and_left_out(monkeypatch, capsys, tmp_path):
    def gone(name):
        raise ImportError(name)

    monkeypatch.setattr(peers.importlib, "import_module", gone)
    monkeypatch.setattr(peers, "LETTERS", (2000, 1000))
    monkeypatch.setattr(peers, "FEW", 266)
    (tmp_path / "tiny.txt").write_text(TINY, encoding="utf-8")
    assert main(["bench", "--quick", "--json", "--corpus", str(tmp_path / "tiny.txt")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["peers"] == dict.fromkeys(peers.PEERS)
    names = {row["name"].split(",")[0] for contest in report["contests"] for row in contest["rows"]}
    assert names == {"bpe-lessons", "the lesson"}
    assert [text["name"] for text in report["texts"]] == [str(tmp_path / "tiny.txt")]


def test_the_cut_parts_have_the_pieces_of_the_text():
    parts = peers.cut(TINY, 100)
    assert "".join(parts) == TINY and len(parts) > 5
    tokenizer = Tokenizer.train(TINY, 300)
    assert [id for part in parts for id in tokenizer.encode(part)] == tokenizer.encode(TINY)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--corpus", "missing.txt"], "missing.txt: No such file"),
        (["--corpus", "empty.txt"], "the corpus is empty"),
        (["--corpus", "latin.txt"], "latin.txt is not utf-8"),
        (["--corpus"], "expected one argument"),
        (["--size", "0"], "'0' is not a whole number of at least 1"),
        (["--size", "1.5"], "'1.5' is not a whole number"),
        (["--size", "1001"], "--size is 1001 MB; 1000 is the most"),
        (["--fast"], "does not know --fast"),
        (["text.txt"], "does not know text.txt"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, arguments, message):
    (tmp_path / "empty.txt").touch()
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 au lait")
    command = [sys.executable, "-m", "bpe_lessons", "bench", *arguments]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, text=True, encoding="utf-8")
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == ""
