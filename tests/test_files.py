"""Files of other tools: what is read, what is written, what other libraries make of it, what is refused."""

import base64
import gzip
import json

import pytest
import tiktoken
import tiktoken.load
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import TEXTS

from bpe_lessons import Tokenizer, corpus, files, glyphs, split
from bpe_lessons.pipeline import Pipeline

TRAINED = {
    "plain": Tokenizer.train(corpus.text("mixed")[:6000], merges=150, special_tokens=["<|end|>", "<|pad|>"]),
    "glyphs": Tokenizer.train(
        corpus.text("chinese")[:3000], merges=150, pattern="qwen3.5", alphabet="glyphs"
    ),
    "nfc": Tokenizer.train(corpus.text("english")[:6000], merges=150, pattern="gpt2", normalization="NFC"),
    "splits": Tokenizer.train(corpus.text("mixed")[:6000], merges=100, pattern="deepseek", ties="smallest"),
}
trained = pytest.mark.parametrize("name", TRAINED)


# tokenizer.json


@trained
@settings(max_examples=150)
@given(TEXTS)
def test_hugging_face_gives_the_same_ids(name, text):
    ours = TRAINED[name]
    theirs = tokenizers.Tokenizer.from_str(json.dumps(files.to_tokenizer_json(ours)))
    ids = ours.encode(text, "special")
    assert theirs.encode(text).ids == ids
    assert theirs.decode(ids, skip_special_tokens=False) == ours.decode(ids)
    assert theirs.get_vocab_size() == len(ours)


@trained
def test_tokenizer_json_goes_out_and_comes_in(name, tmp_path):
    ours, path = TRAINED[name], tmp_path / "tokenizer.json"
    files.write_tokenizer_json(ours, path)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert all(len(merge) == 2 for merge in data["model"]["merges"])
    again = files.read_tokenizer_json(path)
    for text in (corpus.text("english_heldout")[:3000], corpus.text("mixed")[:3000]):
        assert again.encode(text, special="special") == ours.encode(text, "special")
        assert again.decode(again.encode(text)) == ours.normalize(text)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    assert theirs.encode("低 low").ids == ours.encode("低 low")
    with pytest.raises(FileExistsError):
        files.write_tokenizer_json(ours, path)


def test_whole_pieces_are_ignore_merges():
    merges = [(ord(">"), ord("=")), (ord("="), ord(">")), (257, 257)]
    for whole, ids in ((False, [61, 256, 62]), (True, [258])):
        ours = Tokenizer(merges, "none", whole_pieces=whole)
        theirs = tokenizers.Tokenizer.from_str(json.dumps(files.to_tokenizer_json(ours)))
        assert ours.encode("=>=>") == theirs.encode("=>=>").ids == ids


# rank files


@trained
def test_tiktoken_loads_our_ranks(name, tmp_path):
    ours, path = TRAINED[name], tmp_path / "small.tiktoken"
    pattern = split.find_pattern(ours.pattern)
    files.write_ranks(ours, path)
    ranks = files.read_ranks(path)
    assert ranks == tiktoken.load.load_tiktoken_bpe(str(path)) == ours.token_ids
    if len(pattern) == 1:
        theirs = tiktoken.Encoding(
            "ours", pat_str=pattern[0], mergeable_ranks=ranks, special_tokens=ours.special_ids
        )
        for text in (corpus.text("english_heldout")[:3000], corpus.text("mixed")[:3000]):
            assert theirs.encode(ours.normalize(text)) == ours.encode(text)
    again = files.from_ranks(ranks, ours.pattern, ours.special_ids, ours.normalization)
    assert again.merges == ours.merges and again.alphabet == ours.alphabet


def ranks_file(*rows):
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in rows)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_good_rank_files(end):
    data = b"aA== 0" + (b"\r\n" if b"\r" in end else b"\n") + b"aGk= 7" + end
    assert files.parse_ranks(data) == {b"h": 0, b"hi": 7}  # a gap is legal
    assert files.parse_ranks(b"") == {}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"aA== 0\naQ==\n", "line 2: not `base64 rank`"),
        (b"aA== 0\n\naQ== 1\n", "line 2"),
        (b"aA==  0\n", "line 1"),
        (b"aA== 0 \n", "line 1"),
        (b"aA== -1\n", "line 1"),
        (b"aA== 1_0\n", "line 1"),
        (b"aA== 01\n", "line 1"),
        (b"aA== 1.0\n", "line 1"),
        (b"??? 1\n", "line 1"),
        (b" 1\n", "line 1"),
        (b"\xef\xbb\xbfaA== 0\n", "line 1"),
        (b"aA== 0\nYW 1\n", "line 2: 'YW' is not base64"),
        (b"aB== 0\n", "line 1: 'aB==' is not base64"),
        (b"aA=== 0\n", "line 1"),
        (b"aA== 0\naA== 1\n", "line 2: the token is there twice"),
        (b"aA== 0\naQ== 0\n", "line 2: the rank is there twice"),
        (b"aA== 99999999\n", "line 1: the rank 99999999 is over"),
        (b"aA== 999999999999999999999999\n", "line 1"),
        (b"<html>\n", "line 1"),
    ],
)
def test_bad_rank_files(tmp_path, data, message):
    path = tmp_path / "bad.tiktoken"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"bad\.tiktoken: {message}"):
        files.read_ranks(path)


def test_gzip_is_read_and_bounded(tmp_path, monkeypatch):
    path = tmp_path / "r.tiktoken.gz"
    path.write_bytes(gzip.compress(b"aA== 0\n"))
    assert files.read_ranks(path) == {b"h": 0}
    path.write_bytes(gzip.compress(b"aA== 0\n")[:-6])
    with pytest.raises(ValueError, match="a damaged gzip file"):
        files.read_ranks(path)
    monkeypatch.setattr(files, "LARGEST", 1000)
    path.write_bytes(gzip.compress(b"\n" * 5000))
    with pytest.raises(ValueError, match="larger than 1,000 bytes"):
        files.read_ranks(path)


def full_ranks(*tokens):
    return {bytes([byte]): byte for byte in range(256)} | {token: 256 + n for n, token in enumerate(tokens)}


def test_merges_are_recovered():
    assert files.recover_merges(full_ranks(b"ab", b"bc", b"abc")) == (
        "bytes",
        [(97, 98), (98, 99), (256, 99)],
    )
    # `=>=>` is cut into three by the ranks below it: no pair made it
    ranks = full_ranks(b">=", b"=>", b"=>=>")
    assert files.recover_merges(ranks)[1][-1] == b"=>=>"
    tokenizer = files.from_ranks(ranks, "none", {})
    theirs = tiktoken.Encoding("t", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    for text in ("=>=>", "x=>=>", "=>=>=>", "=> =>=>"):
        assert tokenizer.encode(text) == theirs.encode(text)


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ({b"a": 0, b"b": 5}, "gaps"),
        ({b"a": 0, b"b": 1}, "the 256 bytes"),
        ({bytes([255 - byte]): byte for byte in range(256)}, "the 256 bytes"),
    ],
)
def test_ranks_that_are_no_full_table(ranks, message):
    with pytest.raises(ValueError, match=message):
        files.recover_merges(ranks)


@settings(max_examples=200)
@given(
    st.lists(
        st.binary(min_size=2, max_size=4).map(lambda b: bytes(97 + x % 3 for x in b)),
        unique=True,
        max_size=12,
    ),
    st.text("abc", max_size=12),
)
def test_any_full_table_is_encoded_as_tiktoken_does(tokens, text):
    ranks = full_ranks(*tokens)
    theirs = tiktoken.Encoding("t", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
    assert files.from_ranks(ranks, "none", {}).encode(text) == theirs.encode(text)


def test_two_tokens_spelled_alike_have_no_place_in_a_table(tmp_path):
    twice = Tokenizer([(97, 98), (256, 99), (98, 99), (97, 258)])
    for write in (files.write_ranks, files.write_tokenizer_json):
        with pytest.raises(ValueError, match="spelled alike"):
            write(twice, tmp_path / "x")


# merges.txt and vocab.json


@pytest.mark.parametrize("name", ["plain", "glyphs"])
def test_merges_and_vocab(name, tmp_path):
    ours = TRAINED[name]
    merges, vocab = tmp_path / "merges.txt", tmp_path / "vocab.json"
    files.write_merges(ours, merges, vocab)
    again = files.read_merges(merges, vocab, pattern=split.name_of(ours.pattern))
    assert again == ours
    theirs = tokenizers.models.BPE.from_file(str(vocab), str(merges))
    piece = " low"
    assert [t.id for t in theirs.tokenize(glyphs.to_glyphs(piece.encode()))] == ours.encode(piece)


@pytest.mark.parametrize(
    ("text", "merges"),
    [
        ("#version: 0.2\n# #\nĠ t\nh e\n", [("#", "#"), ("Ġ", "t"), ("h", "e")]),
        ("# #\nĠ t", [("#", "#"), ("Ġ", "t")]),
        ("Ġ t\r\nh e\r\n", [("Ġ", "t"), ("h", "e")]),
        ("\u2028 \x1c\n", [("\u2028", "\x1c")]),
        ("", []),
    ],
)
def test_lines_of_merges(text, merges):
    assert files.parse_merges(text) == merges


@pytest.mark.parametrize("text", ["a\n", "a b c\n", "a  b\n", " a b\n", "a b\n\nc d\n"])
def test_bad_lines_of_merges(text):
    with pytest.raises(ValueError, match=r"merges\.txt: line \d: not two tokens"):
        files.parse_merges(text)


def test_a_table_that_does_not_fit_its_merges(tmp_path):
    merges, vocab = tmp_path / "merges.txt", tmp_path / "vocab.json"
    files.write_merges(TRAINED["plain"], merges, vocab)
    table = json.loads(vocab.read_text(encoding="utf-8"))
    for damage, message in (
        ([1], "not a table"),
        (table | {"a": "5"}, "not a table"),
        ({k: v for k, v in table.items() if v != 300}, "has the id None, not 300"),
        (table | {k: v + 1 for k, v in table.items() if v == 300}, "has the id 301, not 300"),
    ):
        vocab.write_text(json.dumps(damage), encoding="utf-8")
        with pytest.raises(ValueError, match=rf"vocab\.json: .*{message}"):
            files.read_merges(merges, vocab)
    vocab.write_text('{"a": 1, "a": 2}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"vocab\.json: the key 'a' is there twice"):
        files.read_merges(merges, vocab)


# minbpe


def test_minbpe(tmp_path):
    path = tmp_path / "small.model"
    ours = TRAINED["plain"]
    files.write_minbpe(ours, path)
    assert path.read_text(encoding="utf-8").startswith("minbpe v1\n(?i:'s")
    assert files.read_minbpe(path) == ours
    for other, message in (
        (TRAINED["glyphs"], "bytes by value"),
        (TRAINED["splits"], "one pattern"),
        (Tokenizer((), special_tokens=["a\nb"]), "no line breaks"),
        (Tokenizer([b"abc"]), "pairs only"),
    ):
        with pytest.raises(ValueError, match=message):
            files.write_minbpe(other, tmp_path / "x.model")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1"),
        ("minbpe v2\n\n0\n", "line 1"),
        ("minbpe v1\n\nx\n", "line 3"),
        ("minbpe v1\n\n2\n<s> 256\n", "line 3"),
        ("minbpe v1\n\n1\n<s>\n", "line 4: not a special token"),
        ("minbpe v1\n\n0\n97 98\n97\n", "line 5: not a pair"),
        ("minbpe v1\n\n0\n97 999\n", "merges\\[0\\]"),
        ("minbpe v1\n(\n0\n", "not a regular expression"),
    ],
)
def test_bad_minbpe_files(tmp_path, content, message):
    path = tmp_path / "bad.model"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"bad\.model: .*{message}"):
        files.read_minbpe(path)


# files that are no tokenizer


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1"),
        (b"404: Not Found", "line 1"),
        (b'{"version": "1.0", "model": {', "line 1"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"model": {"type": "BPE", "vocab": {"a": 0, "a": 1}, "merges": []}}', "'a' is there twice"),
        (b'{"model": {"type": "BPE", "vocab": {"a": NaN}, "merges": []}}', "NaN is no JSON number"),
        (b"\xff\xfe{\x00}\x00", "byte 0xff at offset 0"),
        (b"[]", "no JSON object"),
        (b"{}", "the field 'model' is missing"),
    ],
)
def test_bad_tokenizer_json(tmp_path, content, message):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"tokenizer\.json.* .*{message}"):
        files.read_tokenizer_json(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}" + " " * 100, encoding="utf-8")
    monkeypatch.setattr("bpe_lessons.text.LARGEST", 50)
    with pytest.raises(ValueError, match="larger than 50 bytes"):
        files.read_tokenizer_json(path)


def test_a_byte_order_mark_is_accepted(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(files.to_tokenizer_json(TRAINED["plain"])).encode())
    assert isinstance(files.read_tokenizer_json(path), Pipeline)
