"""The sample texts are what data/README.md says: sizes, hashes, real prose."""

import ast
import hashlib
import re
from collections import Counter

import pytest

from bpe_lessons import corpus
from bpe_lessons.corpus import ROOT


def readme_rows():
    text = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (\S+) \| .+ \| (\d+) \| ([0-9a-f]{64}) \|$", text, flags=re.M)


def test_readme_lists_every_file():
    assert {name for name, _, _ in readme_rows()} == {p.name for p in (ROOT / "data").iterdir()} - {
        "README.md"
    }


@pytest.mark.parametrize(("name", "size", "digest"), readme_rows())
def test_size_and_hash(name, size, digest):
    data = (ROOT / "data" / name).read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size), digest)
    assert b"\r" not in data
    data.decode("utf-8")


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_a_tenth_is_held_out(language):
    training, heldout = len(corpus.text(language).encode()), len(corpus.text(language + "_heldout").encode())
    assert training >= 150_000
    assert 0.08 <= heldout / (training + heldout) <= 0.12


@pytest.mark.parametrize(
    ("language", "unit", "length"), [("english", "[a-z']+", 8), ("chinese", "[\u4e00-\u9fff]", 12)]
)
def test_nothing_is_said_twice(language, unit, length):
    words = re.findall(unit, (corpus.text(language) + corpus.text(language + "_heldout")).lower())
    runs = Counter(zip(*(words[i:] for i in range(length))))
    assert [run for run, n in runs.items() if n > 1] == []


def test_code_is_python():
    for name, modules in (("code", 30), ("code_heldout", 4)):
        code = corpus.text(name)
        assert len(re.findall(r"^# \w+\.py$", code, flags=re.M)) >= modules
        for module in re.split(r"^(?=# \w+\.py$)", code, flags=re.M):
            ast.parse(module)
    lines = [
        line for line in (corpus.text("code") + corpus.text("code_heldout")).splitlines() if line.strip()
    ]
    runs = Counter(zip(*(lines[i:] for i in range(5))))
    assert max(runs.values()) == 1


def test_english_words_are_as_rich_as_prose():
    words = Counter(re.findall("[a-z']+", (corpus.text("english") + corpus.text("english_heldout")).lower()))
    once = sum(n == 1 for n in words.values())
    assert 0.4 <= once / len(words) <= 0.6


def test_mixed_text_has_everything():
    text = corpus.text("mixed")
    for what in (
        "[\u4e00-\u9fff]",
        "[\U0001f300-\U0001faff]",
        "\u200d",
        "\u0301",
        r"\d,\d{3}",
        r"\t",
        "def ",
        "[\uff10-\uff19]",
    ):
        assert re.search(what, text), what


def test_unknown_names():
    with pytest.raises(ValueError, match="english"):
        corpus.text("klingon")
    with pytest.raises(ValueError, match="walkthrough"):
        corpus.words("none")


def test_word_counts():
    counts = corpus.word_counts("en")
    assert list(counts)[:3] == ["the", "to", "and"]
    assert all(a >= b for a, b in zip(counts.values(), list(counts.values())[1:]))
    assert 0.9e9 < sum(counts.values()) < 1e9
    assert next(iter(corpus.word_counts("zh"))) == "的"
    assert corpus.word_counts("en", 3) == {word: counts[word] for word in ("the", "to", "and")}
    for unknown in ("my", "sw", "xx", ""):
        with pytest.raises(ValueError, match=f"no word counts for '{unknown}'; known: ar, bg, bn"):
            corpus.word_counts(unknown)


def test_names():
    assert corpus.names("en")["territory DE"] == "Germany"
    assert corpus.names("zh")["language fr"] == "法语"
    assert len(corpus.names("my")) > 500
    for unknown in ("xx", "", "not a language"):
        with pytest.raises(ValueError, match="no names in the language"):
            corpus.names(unknown)
