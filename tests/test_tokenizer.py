"""Tokenizer, text at the border, and files: what comes in, what goes out, what is refused."""

import json
import os
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_lessons import Tokenizer, corpus, split, text

BYTES = Tokenizer(())
ENGLISH = Tokenizer.train(corpus.text("english_heldout"), merges=60, special_tokens=["<|end|>", "<|end|>s"])
PATTERNS = list(split.PATTERNS)


def test_alphabet_orders_ids():
    glyphs = Tokenizer((), alphabet="glyphs")
    assert glyphs.encode("!~ \n") == [0, 93, 220, 198]
    assert glyphs.decode([0, 93, 220, 198]) == "!~ \n"
    assert BYTES.encode("低") == [0xE4, 0xBD, 0x8E]


@given(st.text(), st.sampled_from(PATTERNS))
def test_round_trip(sample, pattern):
    tokenizer = Tokenizer(ENGLISH.merges, pattern)
    ids = tokenizer.encode(sample)
    assert tokenizer.decode(ids) == sample
    assert tokenizer.decode_bytes(ids) == sample.encode()
    assert "".join(tokenizer.decode_stream(ids)) == sample


@given(st.text(), st.sampled_from(PATTERNS))
def test_split_loses_nothing(sample, pattern):
    pieces = split.split(sample, pattern)
    assert "".join(pieces) == sample and "" not in pieces
    assert sum(split.count(sample, pattern).values()) == len(pieces)


def test_a_pattern_that_covers_little_loses_nothing():
    assert split.split("a1b22", r"\d+") == ["a", "1", "b", "22"]
    assert split.split("ab", "(?=b)") == ["a", "b"]


def test_patterns():
    assert split.split("I'll say hello  12345", "gpt2") == ["I", "'ll", " say", " hello", " ", " 12345"]
    assert split.split("I'LL say 12345", "gpt4") == ["I", "'LL", " say", " ", "123", "45"]
    assert split.split("low  low", "whitespace") == ["low", "  ", "low"]
    assert split.split("a\nb c", "none") == ["a\nb c"]
    with pytest.raises(ValueError, match="unknown pattern 'gpt5'; known: none"):
        split.split("a", "gpt5")
    with pytest.raises(ValueError, match="not a regular expression: missing"):
        Tokenizer((), "(a")


@pytest.mark.parametrize("name", ["english_heldout", "chinese_heldout", "mixed"])
def test_round_trip_of_real_text(name):
    sample = corpus.text(name)
    assert ENGLISH.decode(ENGLISH.encode(sample)) == sample


def test_value():
    again = Tokenizer([list(pair) for pair in ENGLISH.merges], "gpt4", ["<|end|>", "<|end|>s"])
    assert again == ENGLISH and hash(again) == hash(ENGLISH)
    assert pickle.loads(pickle.dumps(ENGLISH)).encode("the low") == ENGLISH.encode("the low")
    assert repr(ENGLISH) == "<Tokenizer of 318 tokens (256 bytes + 60 merges + 2 special), pattern 'gpt4'>"
    assert len(ENGLISH) == 318 == len(ENGLISH.vocabulary)
    with pytest.raises(AttributeError):
        ENGLISH.merges = ()


# sizes


@pytest.mark.parametrize("sample", ["", "q"])
def test_nothing_to_learn(sample):
    tokenizer = Tokenizer.train(sample, vocab_size=300)
    assert (len(tokenizer), tokenizer.stopped) == (256, "no pair left")
    assert tokenizer.encode("") == [] and tokenizer.decode([]) == ""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"vocab_size": 255}, "vocab_size 255 is below the floor of 256 = 256 bytes \\+ 0 special tokens"),
        ({"vocab_size": 256, "special_tokens": ["<s>"]}, "floor of 257 = 256 bytes \\+ 1 special token$"),
        ({"vocab_size": -3}, "vocab_size -3 is below"),
        ({"merges": -1}, "merges is -1"),
        ({}, "either vocab_size or merges"),
        ({"vocab_size": 300, "merges": 3}, "either vocab_size or merges"),
        ({"merges": 1, "min_frequency": 0}, "min_frequency is 0"),
        ({"merges": 1, "ties": "last"}, "unknown tie rule 'last'"),
        ({"merges": 1, "alphabet": "characters"}, "unknown alphabet"),
        ({"merges": 1, "special_tokens": ["<s>", "<s>"]}, "special_tokens\\[1\\] '<s>'"),
        ({"merges": 1, "special_tokens": [""]}, "special_tokens\\[0\\] ''"),
        ({"merges": 1, "special_tokens": "<s>"}, "'<s>' is one text; give a list"),
        ({"merges": 1, "special_tokens": ["a\ud800"]}, "surrogate U\\+D800"),
        ({"merges": "3"}, "merges is '3', not a whole number"),
        ({"vocab_size": 300.0}, "vocab_size is 300.0, not a whole number"),
        ({"merges": 1, "pattern": None}, "the pattern None is neither a name nor"),
        ({"merges": 1, "pattern": "gpt-4"}, "unknown pattern 'gpt-4'"),
        ({"merges": 1, "pattern": "gpt4 "}, "unknown pattern 'gpt4 '"),
        ({"merges": 1, "pattern": "a{10000}"}, "repeats something more than 9,999 times"),
        ({"merges": 1, "pattern": "(?R)"}, "the pattern '\\(\\?R\\)'"),
        ({"merges": 1, "normalization": "NFD"}, "unknown normalization 'NFD'; known: none, NFC, NFKC"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        Tokenizer.train("hello hello", **settings)


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (b"hello", "takes a text or pieces with counts, not a bytes"),
        (["ab", "ab"], "not a list"),
        ({"ab": 0}, "'ab': 0 is not a piece with a count"),
        ({"ab": 1.5}, "'ab': 1.5 is not"),
        ({3: 1}, "3: 1 is not"),
        ({"a\ud800": 2}, "surrogate U\\+D800"),
    ],
)
def test_bad_pieces(pieces, message):
    with pytest.raises(ValueError, match=message):
        Tokenizer.train(pieces, merges=1)


def test_bad_texts_and_merges():
    with pytest.raises(ValueError, match="encode takes a text, not bytes"):
        BYTES.encode(b"low")
    for merges in ([(1,)], [5], [(1, "2")], [(1.0, 2)], [(True, 2)]):
        with pytest.raises(ValueError, match="merges\\[0\\]"):
            Tokenizer(merges)
    numpy = pytest.importorskip("numpy")
    assert Tokenizer([numpy.array([97, 98])[:2].tolist()]).encode("ab") == [256]
    assert Tokenizer([(numpy.int64(97), numpy.int64(98))]) == Tokenizer([(97, 98)])


def test_sizes():
    assert Tokenizer.train("hello hello", vocab_size=256).merges == ()
    large = Tokenizer.train(corpus.text("mixed"), vocab_size=400, special_tokens=["<s>"])
    assert (len(large), len(large.merges), large.stopped) == (400, 143, "size reached")


# ids


@pytest.mark.parametrize("id", [-1, 318, 2**32, 1.0, "5", None, True])
def test_unknown_ids_are_named(id):
    for ids in ([id], [104, id, 104]):
        with pytest.raises(ValueError, match=f"{id!r} is not|id {id} is not"):
            ENGLISH.decode(ids)
        with pytest.raises(ValueError):
            list(ENGLISH.decode_stream(ids))


@pytest.mark.parametrize(
    ("hexed", "replaced", "ignored"),
    [
        ("f09f98", "\ufffd", ""),
        ("80", "\ufffd", ""),
        ("eda080", "\ufffd\ufffd\ufffd", ""),
        ("c0af", "\ufffd\ufffd", ""),
        ("e4b841", "\ufffdA", "A"),
        ("41e4b8", "A\ufffd", "A"),
        ("e282e282ac", "\ufffd€", "€"),
        ("f8888880", "\ufffd" * 4, ""),
    ],
)
def test_broken_utf8(hexed, replaced, ignored):
    ids = list(bytes.fromhex(hexed))
    assert BYTES.decode(ids) == replaced
    assert BYTES.decode(ids, errors="ignore") == ignored
    assert BYTES.decode_bytes(ids).hex() == hexed
    with pytest.raises(UnicodeDecodeError):
        BYTES.decode(ids, errors="strict")


@pytest.mark.parametrize(
    ("hexed", "parts"),
    [
        ("c3a9f09f988078", ["", "é", "", "", "", "😀", "x", ""]),
        ("61f09f98", ["a", "", "", "", "\ufffd"]),
        ("ff41e28242", ["\ufffd", "A", "", "", "\ufffdB", ""]),
    ],
)
def test_stream(hexed, parts):
    assert list(BYTES.decode_stream(bytes.fromhex(hexed))) == parts


def test_stream_is_lazy():
    ids = iter([104, 105, -1])
    stream = BYTES.decode_stream(ids)
    assert next(stream) + next(stream) == "hi"


# special tokens


def test_special_policies():
    plain = ENGLISH.encode("<|end|>", special="text")
    assert len(plain) > 1 and ENGLISH.decode(plain) == "<|end|>"
    assert ENGLISH.encode("a<|end|>sb", special="special") == [97, 317, 98]  # the longer token wins
    assert ENGLISH.decode([316]) == "<|end|>"
    with pytest.raises(ValueError, match=r"special token '<\|end\|>' at character 3"):
        ENGLISH.encode("low<|end|>")
    with pytest.raises(ValueError, match="unknown policy 'maybe'"):
        ENGLISH.encode("low", special="maybe")
    assert 316 not in Tokenizer(ENGLISH.merges).encode("<|end|>")


# surrogates and control characters


@pytest.mark.parametrize(
    ("points", "repaired"),
    [
        ([0xD83C], "\ufffd"),
        ([0xD83D, 0xDE80], "🚀"),
        ([0x41, 0xD801, 0x42], "A\ufffdB"),
        ([0xD83D, 0xD83D, 0xDE80], "\ufffd🚀"),
        ([0xDE80, 0xD83D], "\ufffd\ufffd"),
        ([0x41, 0xDC80], "A\ufffd"),
    ],
)
def test_surrogates_are_refused_and_can_be_repaired(points, repaired):
    broken = "".join(map(chr, points))
    where = next(i for i, point in enumerate(points) if 0xD800 <= point <= 0xDFFF)
    for use in (BYTES.encode, lambda t: Tokenizer.train(t, merges=1), text.to_bytes):
        with pytest.raises(
            ValueError, match=f"character {where} is the surrogate U\\+{points[where]:04X}.*repair"
        ):
            use(broken)
    assert text.repair(broken) == repaired


@given(st.text())
def test_repair_leaves_good_text_alone(sample):
    assert text.repair(sample) == sample


def test_control_characters_are_ordinary():
    sample = "a\0b\0\0\x1b[31mred\x07\x7f\ufeffHello\r\n\u2028"
    assert BYTES.decode(BYTES.encode(sample)) == sample


# files


@given(
    st.text(alphabet='ab\n\0 "\\低', max_size=30),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True, max_size=3),
)
def test_save_and_load(tmp_path_factory, sample, special_tokens):
    path = tmp_path_factory.mktemp("saved") / "tokenizer.json"
    tokenizer = Tokenizer.train(
        sample, merges=9, pattern="[^\0\n ]+|\n", alphabet="glyphs", special_tokens=special_tokens
    )
    tokenizer.save(path)
    loaded = Tokenizer.load(path)
    assert loaded == tokenizer and loaded.stopped == tokenizer.stopped
    assert loaded.encode(sample, "text") == tokenizer.encode(sample, "text")


def test_saving_asks_before_it_overwrites(tmp_path):
    path = tmp_path / "t.json"
    ENGLISH.save(path)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=r"exists and is not overwritten"):
        BYTES.save(path)
    assert path.read_bytes() == before
    BYTES.save(path, overwrite=True)
    assert Tokenizer.load(path) == BYTES
    assert os.listdir(tmp_path) == ["t.json"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_crash_leaves_the_old_file(tmp_path, monkeypatch, step):
    path = tmp_path / "t.json"
    ENGLISH.save(path)
    before = path.read_bytes()

    def crash(*arguments):
        raise OSError("disk full")

    monkeypatch.setattr(os, step, crash)
    with pytest.raises(OSError, match="disk full"):
        BYTES.save(path, overwrite=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["t.json"]


GOOD = {
    "format": "bpe-lessons tokenizer 1",
    "alphabet": "bytes",
    "pattern": ["a|b"],
    "normalization": "NFC",
    "whole_pieces": True,
    "special_tokens": {},
    "stopped": "",
    "merges": [[97, 98], [256, 99]],
}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"format": "other"}, "'format'"),
        ({"alphabet": "runes"}, "unknown alphabet 'runes'"),
        ({"alphabet": 3}, "'alphabet' is not a str"),
        ({"pattern": ["("]}, "not a regular expression"),
        ({"pattern": "a"}, "'pattern' is not a list"),
        ({"pattern": []}, "'pattern' is not a list of expressions"),
        ({"pattern": [3]}, "'pattern' is not a list of expressions"),
        ({"normalization": "NFQ"}, "unknown normalization 'NFQ'"),
        ({"whole_pieces": 1}, "'whole_pieces' is not a bool"),
        ({"special_tokens": {"": 300}}, "special_tokens\\[0\\] ''"),
        ({"special_tokens": {"<s>": 257}}, "special_tokens\\[0\\] '<s>': the id 257 is taken"),
        ({"special_tokens": {"<s>": 300, "<t>": 300}}, "special_tokens\\[1\\] '<t>': the id 300 is taken"),
        ({"special_tokens": {"\ud800": 300}}, "surrogate U\\+D800"),
        ({"merges": ["61"]}, "merges\\[0\\] '61' is a token of less than two bytes"),
        ({"merges": ["6x"]}, "non-hexadecimal"),
        ({"merges": [[97, 98], [257, 99]]}, "merges\\[1\\] \\[257, 99\\]: no id 257"),
        ({"merges": [[97, -1]]}, "merges\\[0\\] \\[97, -1\\]: no id -1"),
        ({"merges": [[97, 98], [97, 98]]}, "merges\\[1\\] \\[97, 98\\] is there twice"),
        ({"merges": [[97]]}, "merges\\[0\\] \\[97\\] is not a pair"),
        ({"merges": [[97, 98.0]]}, "no id 98.0"),
        ({"merges": [[97, True]]}, "no id True"),
        ({"merges": {}}, "'merges' is not a list"),
        ({"extra": 1}, "'extra' is unknown"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, damage, message):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(GOOD | damage), encoding="utf-8")
    with pytest.raises(ValueError, match=f"t\\.json: .*{message}"):
        Tokenizer.load(path)


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(tmp_path, key):
    path = tmp_path / "t.json"
    path.write_text(json.dumps({k: v for k, v in GOOD.items() if k != key}), encoding="utf-8")
    with pytest.raises(ValueError, match=f"'{key}'"):
        Tokenizer.load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n"format": 1,\n"merges": [}', "line 3"),
        (b'{"a": 1, "a": 2}', "'a' is there twice"),
        (b"", "line 1"),
        (b"[1]", "'format'"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format": "\xff"}', "byte 0xff at offset 12"),
    ],
)
def test_a_file_that_is_no_tokenizer(tmp_path, content, message):
    path = tmp_path / "t.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        Tokenizer.load(path)


def test_cut_anywhere_a_file_does_not_load(tmp_path):
    path = tmp_path / "t.json"
    Tokenizer.train("low lower", merges=3).save(path)
    whole = path.read_bytes()
    assert Tokenizer.load(path)
    for end in range(len(whole) - 1):
        if whole[:end].strip() != whole.strip():
            path.write_bytes(whole[:end])
            with pytest.raises(ValueError, match="t\\.json"):
                Tokenizer.load(path)


@pytest.mark.parametrize(
    ("content", "offset", "encoding"),
    [
        ("自行车修好了，放在门口。".encode("gb18030"), 0, "gb18030"),
        (b"ok " + "café à la crème".encode("cp1252"), 6, "cp1252"),
        ("hello world, this is it".encode("utf-16"), 0, "utf_16"),
    ],
)
def test_a_file_in_another_encoding(tmp_path, content, offset, encoding):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(
        ValueError, match=f"notes\\.txt is not utf-8: byte 0x.. at offset {offset}; .*{encoding}"
    ):
        text.read(path)
    assert text.read(path, encoding) == content.decode(encoding)


def test_line_ends_are_kept_and_a_byte_order_mark_is_no_text(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r")
    assert text.read(path) == "one\r\ntwo\r"
    with pytest.raises(ValueError, match="unknown encoding 'klingon'"):
        text.read(path, "klingon")


# truncation and dropout


@pytest.mark.parametrize("ties", ["first", "smallest", "greatest"])
@pytest.mark.parametrize("sample", ["low lower lowest newest widest " * 3, "低低低低 aaaa bb", "", "a"])
def test_truncation_is_training_to_the_smaller_size(sample, ties):
    how = {"ties": ties, "special_tokens": ["<|end|>", "<|pad|>"]}
    large = Tokenizer.train(sample, merges=30, **how)
    for size in range(258, len(large) + 1):
        small = Tokenizer.train(sample, size, **how)
        assert large.truncate(size) == small
        assert large.truncate(size).stopped == small.stopped


def test_truncation_of_real_training():
    large = Tokenizer.train(corpus.text("english"), 2000)
    for size in (256, 300, 1234, 2000):
        assert large.truncate(size) == Tokenizer.train(corpus.text("english"), size)
    assert large.truncate(300).special_ids == {} and large.truncate(300).pattern == large.pattern


def test_truncation_refuses_other_sizes():
    with pytest.raises(ValueError, match="vocab_size 319 is more than the 318 tokens there are"):
        ENGLISH.truncate(319)
    with pytest.raises(ValueError, match="vocab_size 257 is below the floor of 258 = 256 bytes"):
        ENGLISH.truncate(257)
    with pytest.raises(ValueError, match="not a whole number"):
        ENGLISH.truncate(300.5)


@given(st.text(max_size=40), st.integers(0, 5), st.sampled_from([0.1, 0.5, 1.0]))
def test_dropout_changes_the_cut_and_nothing_else(sample, seed, dropout):
    ids = ENGLISH.encode(sample, dropout=dropout, seed=seed)
    assert ENGLISH.decode(ids) == sample
    assert ids == ENGLISH.encode(sample, dropout=dropout, seed=seed)
    assert len(ids) >= len(ENGLISH.encode(sample, dropout=0))


def test_dropout_is_seeded_and_keeps_special_tokens():
    sample = corpus.text("english_heldout")[:300] + "<|end|>"
    cuts = {tuple(ENGLISH.encode(sample, "special", dropout=0.3, seed=seed)) for seed in range(5)}
    assert len(cuts) == 5 and {ids[-1] for ids in cuts} == {316}
    assert ENGLISH.encode("the", dropout=1) == list(b"the")
    assert (
        ENGLISH.encode_batch(["the"] * 2, dropout=0.5, seed=3)
        == [ENGLISH.encode("the", dropout=0.5, seed=3)] * 2
    )


@pytest.mark.parametrize("dropout", [-0.1, 1.5, float("nan")])
def test_dropout_is_a_probability(dropout):
    with pytest.raises(ValueError, match=r"dropout is .*; it is a probability, 0 to 1"):
        ENGLISH.encode("a", dropout=dropout)


def test_training_numbers_special_tokens_itself():
    with pytest.raises(ValueError, match="training numbers the special tokens itself"):
        Tokenizer.train("low", merges=1, special_tokens={"<|end|>": 999})
