"""Whole kinds of input, each by a law or a table, not by one lucky case.

Runs and overlap, ties in any process, surrogates and control characters, pieces (blanks, contractions,
numbers, scripts and marks), broken bytes in streams, sizes, files that agree, files that are broken,
processes, nothing.
"""

import json
import os
import pickle
import subprocess
import sys
import unicodedata
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from multiprocessing import get_context

import numpy as np
import oracle
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import TEXTS

from bpe_lessons import Tokenizer, corpus, engine, files, lesson, split, text
from bpe_lessons.engine.cut import Cutter
from bpe_lessons.vocabularies import load

PATTERNS = list(split.PATTERNS)
PUBLISHED = ["gpt2", "gpt4", "o200k", "llama3", "qwen", "qwen3.5", "deepseek"]
KNOWN = [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) not in ("Cn", "Co", "Cs")]


# Runs and overlap


def test_every_place_of_a_run_counts():
    """`sss` holds two pairs though only one can be merged: 4 beats the 3 of `ts`; counted apart it is 2."""
    words = {"sss": 2, "ts": 3}
    learned = engine.train(*lesson.spell(words), 9)
    assert [(chr(a), chr(b)) for a, b in learned.merges[:1]] == [("s", "s")] and learned.counts[0] == 4
    assert Tokenizer.train(words, merges=9).merges == tuple(learned.merges)
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=3, show_progress=False)
    model.train_from_iterator(["sss sss ts ts ts"], trainer)
    assert json.loads(model.to_str())["model"]["merges"] == [["s", "s"]]


@cache
def powers():
    return Tokenizer.train("q" * 1024, merges=18, pattern="none")


def test_a_run_of_1024_gives_ten_merges():
    tokenizer = powers()
    assert tokenizer.merges == ((113, 113), *((id, id) for id in range(256, 265)))
    assert tokenizer.stopped == "no pair left"


@pytest.mark.parametrize("n", [*range(40), 1000, 1023, 2047, 99_999])
def test_a_run_is_cut_into_powers_of_two(n):
    """The greatest power as often as it fits, then the binary digits of what is left."""
    expected = [265] * (n // 1024) + [255 + k for k in range(9, 0, -1) if n >> k & 1] + [113] * (n % 2)
    assert powers().encode("q" * n) == expected
    assert powers().decode(expected) == "q" * n
    if n < 3000:
        assert lesson.encode([113] * n, powers().rules) == expected


@pytest.mark.parametrize("unit", ["7", " ", "低", "ab", "\n", "🚲", "!", "e\u0301"])
def test_long_runs_in_every_pattern(unit):
    sample = unit * 20_000
    for pattern in ("gpt2", "gpt4", "o200k", "deepseek"):
        tokenizer = Tokenizer.train(unit * 50, merges=6, pattern=pattern)
        ids = tokenizer.encode(sample)
        assert tokenizer.decode(ids) == sample
        assert list(tokenizer.encode_iterable(sample[i : i + 999] for i in range(0, len(sample), 999))) == ids
    assert len(split.split("7" * 20_000, "gpt4")) == 6667 and len(split.split("7" * 20_000, "gpt2")) == 1


def test_a_stream_without_safe_places_is_looked_through_once(monkeypatch):
    looked = []
    safe_end = Cutter.safe_end
    monkeypatch.setattr(
        Cutter,
        "safe_end",
        lambda self, text, begin=0: looked.append(len(text) - begin) or safe_end(self, text, begin),
    )
    line = "今天 天气 很好， 散步。\n"
    assert list(powers().encode_iterable([line] * 200)) == list((line * 200).encode())
    assert sum(looked) <= 200 * len(line)


# Ties, in any process


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("first", "nb kd bk bkb"), ("smallest", "bk kd nb bkb"), ("greatest", "nb kd kb bkb")],
)
def test_ties_by_hand(ties, expected):
    tokenizer = Tokenizer.train({"nb": 1, "kd": 1, "bkb": 1}, merges=9, ties=ties)
    assert b" ".join(tokenizer.vocabulary[id] for id in range(256, len(tokenizer))).decode() == expected


TRAIN_IN_A_PROCESS = """
from importlib import import_module
from bpe_lessons import Tokenizer
import_module("bpe_lessons.engine.count").CHUNK = 20
text = "nb kd bkb nb_ 低 低底 bk and nd on 底低 kb kd nbk bn dk na " * 2
for ties in ("first", "smallest", "greatest"):
    for processes in (1, 2, 3):
        tokenizer = Tokenizer.train(text, merges=40, ties=ties, processes=processes, special_tokens=["nb_"])
        print(ties, tokenizer.merges, tokenizer.encode_batch([text], processes, special="special"))
"""


def test_neither_hash_seed_nor_processes_change_a_tie():
    runs = {
        subprocess.run(
            [sys.executable, "-c", TRAIN_IN_A_PROCESS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "7", "random")
    }
    assert len(runs) == 1
    lines = runs.pop().decode().splitlines()
    assert len(lines) == 9 and len(set(lines)) == 3


# Surrogates and control characters


LONE = ["\ud800", "a\udfff", "x\ud83d\ude80", "\udc00\ud800 "]


@pytest.mark.parametrize("broken", LONE)
def test_no_door_lets_a_surrogate_in(broken):
    tokenizer = powers()
    doors = [
        tokenizer.encode,
        lambda t: tokenizer.encode(t, "special"),
        lambda t: tokenizer.encode(t, dropout=0.5),
        lambda t: tokenizer.encode_batch(["fine", t]),
        lambda t: list(tokenizer.encode_iterable(["fine ", t])),
        lambda t: list(Tokenizer((), normalization="NFC").encode_iterable(t)),
        lambda t: Tokenizer.train(t, merges=1),
        lambda t: Tokenizer.train({t: 1}, merges=1),
        lambda t: Tokenizer((), special_tokens=[t]),
        lambda t: load("deepseek").encode(t),
        text.to_bytes,
    ]
    for door in doors:
        with pytest.raises(ValueError, match=r"surrogate U\+D"):
            door(broken)
    assert tokenizer.decode(tokenizer.encode(text.repair(broken))) == text.repair(broken)


def test_control_characters_are_text_like_any_other():
    controls = [chr(n) for n in [*range(32), *range(127, 160), 0xAD, 0x200B, 0x2028, 0x2029, 0xFEFF, 0xFFFF]]
    for sample in ["".join(controls), *(f"a{c}{c}b {c}1" for c in controls)]:
        for pattern in PATTERNS:
            tokenizer = Tokenizer((), pattern)
            assert tokenizer.decode(tokenizer.encode(sample)) == sample
            assert "".join(split.split(sample, pattern)) == sample


# Pieces


@pytest.mark.parametrize(
    ("sample", "gpt2", "gpt4", "o200k"),
    [
        # blanks: the last one goes with the word, a line end does not
        ("  two   spaces", " | two|  | spaces", " | two|  | spaces", " | two|  | spaces"),
        (" tab\tand  \t end \n", " tab|\t|and|  \t| end| \n", *[" tab|\tand|  \t| end| \n"] * 2),
        ("\r\n\r\n  x\r\n", "\r\n\r\n | x|\r\n", *["\r\n\r\n| | x|\r\n"] * 2),
        ("a\xa0\xa0b\u3000c", "a|\xa0|\xa0|b|\u3000|c", *["a|\xa0|\xa0b|\u3000c"] * 2),
        ("if x:\n\n   y\n/*", "if| x|:|\n\n  | y|\n|/*", *["if| x|:\n\n|  | y|\n|/*"] * 2),
        ("a;\n//b", "a|;|\n|//|b", "a|;\n|//|b", "a|;\n//|b"),
        # contractions: lower case only, any case, part of the word
        ("WE'RE we're We'Re", "WE|'|RE| we|'re| We|'|Re", "WE|'RE| we|'re| We|'Re", "WE'RE| we're| We'Re"),
        ("'Tis o'clock", "'|Tis| o|'|clock", "'T|is| o|'clock", "'Tis| o|'clock"),
        ("she'd've d’or", "she|'d|'ve| d|’|or", "she|'d|'ve| d|’or", "she'd|'ve| d|’or"),
        ("X'S x'ſ", "X|'|S| x|'|ſ", "X|'S| x|'ſ", "X'S| x'ſ"),
        # numbers: whole, then three by three; a space is no part of them any more
        ("v=31415926,7", "v|=|31415926|,|7", *["v|=|314|159|26|,|7"] * 2),
        ("R2D2 Ⅳ½", "R|2|D|2| Ⅳ½", *["R|2|D|2| |Ⅳ½"] * 2),
        ("一百二十 100%", "一百二十| 100|%", *["一百二十| |100|%"] * 2),
        # scripts and marks: a mark cuts a word, begins the next piece, is part of the word
        ("बिल्ली", "ब|ि|ल|्|ल|ी", "ब|िल|्ल|ी", "बिल्ली"),
        ("e\u0301te\u0301", "e|\u0301|te|\u0301", "e|\u0301te|\u0301", "e\u0301te\u0301"),
        ("CamelCase HTTPServer", "CamelCase| HTTPServer", "CamelCase| HTTPServer", "Camel|Case| HTTPServer"),
        ("你好，world！好的", "你好|，|world|！|好的", *["你好|，world|！好的"] * 2),
        ("👩🏽\u200d🔧 ok", *["👩🏽\u200d🔧| ok"] * 3),
    ],
)
def test_pieces_by_hand(sample, gpt2, gpt4, o200k):
    for pattern, pieces in (("gpt2", gpt2), ("gpt4", gpt4), ("llama3", gpt4), ("o200k", o200k)):
        assert split.split(sample, pattern) == pieces.split("|"), pattern
    assert oracle.gpt2(sample) == gpt2.split("|") and oracle.gpt4(sample) == gpt4.split("|")


@cache
def isolating(name):
    """The pattern as a pre-tokenizer of Hugging Face, whose regular expressions are another library's."""
    return tokenizers.pre_tokenizers.Sequence(
        [
            tokenizers.pre_tokenizers.Split(tokenizers.Regex(expression), "isolated")
            for expression in split.PATTERNS[name]
        ]
    )


@pytest.mark.parametrize("name", [*(name for name in PUBLISHED if name != "llama3"), "whitespace"])
def test_every_kind_of_character_in_every_pattern(name):
    """Each character among letters, digits and blanks: of letters without case one in thirty, else all."""
    some = [c for n, c in enumerate(KNOWN) if n % 30 == 0 or unicodedata.category(c) != "Lo"]
    assert len(some) > 20_000
    sample = "".join(f"a{c}b{c}{c}1{c}.{c} {c}\n" for c in some)
    assert split.split(sample, name) == [piece for piece, _ in isolating(name).pre_tokenize_str(sample)]


@pytest.mark.parametrize("name", PUBLISHED)
@settings(max_examples=100)
@given(TEXTS)
def test_any_text_in_every_pattern(name, sample):
    assert split.split(sample, name) == [piece for piece, _ in isolating(name).pre_tokenize_str(sample)]


def test_whatever_unicode_calls_a_number_is_one():
    numbers = [c for c in KNOWN if unicodedata.category(c)[0] == "N"]
    assert {"5", "５", "²", "৪", "Ⅷ", "½", "①"} < set(numbers) and "一" not in numbers
    for c in numbers:
        assert split.split(f"n{c * 7}n", "gpt2") == ["n", c * 7, "n"]
        for pattern in ("gpt4", "o200k", "deepseek"):
            assert split.split(f"n{c * 7}n", pattern) == ["n", c * 3, c * 3, c, "n"]
        for pattern in ("qwen", "qwen3.5"):
            assert split.split(f"n{c * 7}n", pattern) == ["n", *c * 7, "n"]


def test_whatever_unicode_calls_a_mark_is_one():
    marks = [c for c in KNOWN if unicodedata.category(c)[0] == "M" and not "\u3040" <= c <= "\u309f"]
    assert len(marks) > 2000
    for c in marks:
        assert split.split(f"a{c}b", "gpt2") == ["a", c, "b"]
        assert split.split(f"a{c}b", "gpt4") == split.split(f"a{c}b", "qwen") == ["a", f"{c}b"]
        for pattern in ("o200k", "qwen3.5", "deepseek"):
            assert split.split(f"a{c}b", pattern) == [f"a{c}b"]


@pytest.mark.parametrize("ending", ["s", "d", "m", "t", "ll", "ve", "re"])
def test_every_contraction(ending):
    for tail in {ending, ending.upper(), ending.title(), ending[0] + ending[1:].upper()}:
        lower = tail == ending
        assert split.split(f"we'{tail}", "gpt2") == (["we", f"'{tail}"] if lower else ["we", "'", tail])
        assert split.split(f"we'{tail}", "gpt4") == split.split(f"we'{tail}", "qwen") == ["we", f"'{tail}"]
        assert split.split(f"we'{tail}", "o200k") == [f"we'{tail}"]


# Broken bytes and streams


@settings(max_examples=200)
@given(TEXTS.filter(lambda sample: "\ufffd" not in sample))
def test_the_first_ids_of_a_text_decode_to_its_beginning(sample):
    tokenizer = Tokenizer.train("low 低 底 🚲 e\u0301 한" * 3, merges=8)
    ids = tokenizer.encode(sample)
    for k in range(len(ids) + 1):
        begun = tokenizer.decode(ids[:k])
        whole = begun.removesuffix("\ufffd")
        assert sample.startswith(whole) and "\ufffd" not in whole
        # the stream shows that much and no more, until the last id is there
        shown = "".join(part for part, _ in zip(tokenizer.decode_stream(ids), range(k)))
        assert shown == whole
    assert "".join(tokenizer.decode_stream(ids)) == sample


def test_a_stream_may_end_or_break_anywhere():
    data = "aé低🚲".encode()
    for end in range(len(data) + 1):
        for tail in (b"", b"z", b"\xff", "底".encode()):
            broken = data[:end] + tail
            parts = list(Tokenizer(()).decode_stream(broken))
            assert len(parts) == len(broken) + 1
            assert "".join(parts) == broken.decode("utf-8", "replace")


def test_ids_of_any_whole_number_type():
    tokenizer = powers()
    ids = tokenizer.encode("q" * 99)
    for kind in (np.int32, np.int64, np.uint16):
        assert tokenizer.decode(np.array(ids, dtype=kind)) == "q" * 99
    assert tokenizer.decode(iter(ids)) == tokenizer.decode(tuple(ids)) == "q" * 99
    with pytest.raises(ValueError, match="not an id"):
        tokenizer.decode(np.array([1.0]))


# Sizes


@settings(max_examples=150)
@given(TEXTS, st.integers(0, 30), st.lists(st.sampled_from(["<a>", "<b>", "<c>"]), unique=True))
def test_the_size_is_reached_or_the_reason_told(sample, more, special):
    floor = 256 + len(special)
    tokenizer = Tokenizer.train(sample, floor + more, special_tokens=special)
    assert len(tokenizer) == floor + len(tokenizer.merges) == len(tokenizer.vocabulary)
    assert (tokenizer.stopped == "size reached") == (len(tokenizer.merges) == more)
    assert sorted(tokenizer.vocabulary) == list(range(len(tokenizer)))
    assert [tokenizer.special_ids[token] for token in special] == list(range(len(tokenizer)))[256:][
        len(tokenizer.merges) :
    ]
    with pytest.raises(ValueError, match=f"vocab_size {floor - 1} is below the floor of {floor} "):
        Tokenizer.train(sample, floor - 1, special_tokens=special)


# Files


def write_all(tokenizer, folder):
    """The same tokenizer in every format, each with the Python that reads it."""
    tokenizer.save(folder / "own.json")
    files.write_tokenizer_json(tokenizer, folder / "tokenizer.json")
    files.write_ranks(tokenizer, folder / "t.tiktoken")
    files.write_merges(tokenizer, folder / "merges.txt", folder / "vocab.json")
    files.write_minbpe(tokenizer, folder / "t.model")
    (folder / "t.pickle").write_bytes(pickle.dumps(tokenizer))


READ_IN_A_PROCESS = """
import pickle, sys
from pathlib import Path
from bpe_lessons import Tokenizer, files
folder, text = Path(sys.argv[1]), sys.stdin.buffer.read().decode()
special = {"<|end|>": 316}
for tokenizer in (
    Tokenizer.load(folder / "own.json"),
    files.read_tokenizer_json(folder / "tokenizer.json"),
    files.from_ranks(files.read_ranks(folder / "t.tiktoken"), "gpt4", special),
    files.read_merges(folder / "merges.txt", folder / "vocab.json", "gpt4"),
    files.read_minbpe(folder / "t.model"),
    pickle.loads((folder / "t.pickle").read_bytes()),
):
    print(list(tokenizer.encode(text, special="special")))
"""


def test_every_format_gives_the_same_ids_in_another_process(tmp_path):
    tokenizer = Tokenizer.train(corpus.text("mixed")[:4000], merges=60, special_tokens=["<|end|>"])
    write_all(tokenizer, tmp_path)
    sample = corpus.text("mixed")[3000:6000] + "<|end|>\r\n 低\0"
    done = subprocess.run(
        [sys.executable, "-c", READ_IN_A_PROCESS, tmp_path],
        input=sample.encode(),
        capture_output=True,
        check=True,
    )
    assert set(done.stdout.decode().split("\n")) == {str(tokenizer.encode(sample, "special")), ""}
    assert done.stdout.count(b"\n") == 6


READERS = {
    "own.json": Tokenizer.load,
    "tokenizer.json": files.read_tokenizer_json,
    "t.tiktoken": files.read_ranks,
    "merges.txt": lambda path: files.read_merges(path, path.with_name("vocab.json")),
    "vocab.json": lambda path: files.read_merges(path.with_name("merges.txt"), path),
    "t.model": files.read_minbpe,
}
reads = pytest.mark.parametrize("name", READERS)


@reads
def test_files_that_are_something_else(name, tmp_path):
    write_all(Tokenizer.train("low lower", merges=3, special_tokens=["<|end|>"]), tmp_path)
    path = tmp_path / name
    whole = path.read_text(encoding="utf-8")
    for content in (
        whole.encode("utf-16"),
        b"\xff" + whole.encode(),
        b"<html>404 Not Found</html>\n",
        "低 底 low\n".encode("gb18030"),
        whole.encode() + b"\0\0\n",
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=name.replace(".", r"\.")):
            READERS[name](path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        READERS[name](path)
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        READERS[name](path)


@reads
def test_cut_off_files_are_refused_or_whole_in_themselves(name, tmp_path):
    """A list of ranks or merges cut after a line is a shorter list; JSON is never whole before its end."""
    tokenizer = Tokenizer.train("low lower", merges=3, special_tokens=["<|end|>"])
    write_all(tokenizer, tmp_path)
    path = tmp_path / name
    whole = path.read_bytes()
    for end in [*range(0, len(whole), 41), *range(len(whole) - 60, len(whole) - 1)]:
        path.write_bytes(whole[:end])
        try:
            found = READERS[name](path)
        except ValueError as error:
            assert str(tmp_path) in str(error)
        else:
            assert not name.endswith(".json") or not whole[end:].strip()
            if name == "t.tiktoken":
                assert list(found.items()) == list(tokenizer.token_ids.items())[: len(found)]
            elif name == "t.model":
                assert whole[:end].count(b"\n") >= 4 or not found.merges
                # a number cut short is another number, which no reader could notice
                assert found.merges[:-1] == tokenizer.merges[: max(0, len(found.merges) - 1)]


# Processes


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_a_file_may_be_read_in_any_chunks(size, tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("bpe_lessons.engine.count"), "CHUNK", size)
    mark = "\ufeff" if size > 2 else ""  # a byte order mark is three bytes
    sample = "one \n  \n two x.\n/y don't 低底 🚲🚴 12345  \r\n end " * 2
    path = tmp_path / "in.txt"
    path.write_bytes((mark + sample).encode())
    for pattern in ("gpt2", "gpt4", "o200k", "deepseek", "none", r"\w+"):
        right = list(split.count(sample, pattern).items())
        assert list(engine.count(path, pattern).items()) == right


def test_a_pickled_tokenizer_in_a_new_python():
    tokenizer = Tokenizer.train(
        corpus.text("mixed")[:3000], merges=80, alphabet="glyphs", special_tokens=["<s>"]
    )
    texts = [corpus.text("mixed")[n : n + 200] + "<s>" for n in range(0, 2000, 400)]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        there = list(pool.map(tokenizer.encode, texts, ["special"] * len(texts)))
    assert there == [tokenizer.encode(sample, "special") for sample in texts]


# Nothing


def test_nothing_gives_nothing(tmp_path):
    nothing = tmp_path / "nothing.txt"
    nothing.write_bytes(b"")
    marked = tmp_path / "mark.txt"
    marked.write_bytes(b"\xef\xbb\xbf")
    for pattern in PATTERNS:
        assert split.split("", pattern) == [] and split.count("", pattern) == {}
        assert (
            engine.count("", pattern) == engine.count(nothing, pattern) == engine.count(marked, pattern) == {}
        )
        tokenizer = Tokenizer.train("", merges=5, pattern=pattern, special_tokens=["<s>"])
        assert (tokenizer.merges, tokenizer.stopped, len(tokenizer)) == ((), "no pair left", 257)
        for policy in ("raise", "text", "special"):
            assert tokenizer.encode("", policy) == []
        assert (
            tokenizer.encode("<s>", "special") == [256] and tokenizer.encode("<s><s>", "special") == [256] * 2
        )
        assert tokenizer.encode("", dropout=1) == []
        assert tokenizer.encode_batch([]) == [] and tokenizer.encode_batch(["", ""]) == [[], []]
        for chunks in ([], [""], ["", "", ""]):
            assert list(tokenizer.encode_iterable(chunks)) == []
        assert tokenizer.decode([]) == "" and tokenizer.decode_bytes([]) == b""
        assert list(tokenizer.decode_stream([])) == [""]
    assert Tokenizer.train({}, merges=3).merges == Tokenizer.train({"": 4, "a": 2}, merges=3).merges == ()
    assert text.read(nothing) == text.read(marked) == ""
    assert load("deepseek").encode("", add_special_tokens=False) == []


def test_a_tokenizer_of_nothing_in_every_format(tmp_path):
    tokenizer = Tokenizer(())
    write_all(tokenizer, tmp_path)
    for name, read in READERS.items():
        found = read(tmp_path / name)
        if name == "t.tiktoken":
            assert found == {bytes([byte]): byte for byte in range(256)}
        else:
            assert list(found.encode("low 低")) == list("low 低".encode())
