"""Real vocabularies, offline: the same ids as the libraries that published them."""

import hashlib
import json
import subprocess
import sys
from functools import cache

import pytest
import tiktoken
import tokenizers
from hypothesis import given, settings
from texts import TEXTS

from bpe_lessons import corpus, files, vocabularies
from bpe_lessons.split import find_pattern, split
from bpe_lessons.vocabularies import find, load

RANKED = ["gpt2", "cl100k_base", "o200k_base", "qwen2.5", "qwen3.5"]
FILES = ["english_heldout", "chinese_heldout", "mixed"]
# What tiktoken 0.12 and later use for cl100k_base: other pieces at the end of a text, the same ids.
NEWER_GPT4 = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)


@cache
def reference(name, pattern=None):
    """tiktoken's encoding with the published ranks; its own download is never used."""
    ours = load(name)
    ranks = {ours.vocabulary[id]: id for id in range(256 + len(ours.merges))}
    (expression,) = find_pattern(pattern or ours.pattern)
    return tiktoken.Encoding(name, pat_str=expression, mergeable_ranks=ranks, special_tokens=ours.special_ids)


@cache
def deepseek():
    return tokenizers.Tokenizer.from_str(find("deepseek").decode("utf-8"))


@pytest.mark.parametrize("name", RANKED)
def test_ranks_are_the_published_ones(name):
    ours = load(name)
    if name == "gpt2":
        table = json.loads(find("gpt2 table"))
        assert files.glyph_ids(ours) == table
    else:
        assert ours.token_ids == files.parse_ranks(find(name))
    assert (
        len(ours)
        == {
            "gpt2": 50257,
            "cl100k_base": 100261,
            "o200k_base": 200000,
            "qwen2.5": 151665,
            "qwen3.5": 248077,
        }[name]
    )


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize("text", FILES)
def test_ids_of_real_text(name, text):
    ours, sample = load(name), corpus.text(text)
    ids = ours.encode(sample, "text")
    assert ids == reference(name).encode_ordinary(ours.normalize(sample))
    assert ours.decode(ids) == ours.normalize(sample)


@pytest.mark.parametrize("name", RANKED)
@settings(max_examples=400)
@given(TEXTS)
def test_ids_of_any_text(name, text):
    ours = load(name)
    normalized = ours.normalize(text)
    ids = ours.encode(text, "text")
    assert ids == reference(name).encode_ordinary(normalized)
    assert ours.decode(ids) == normalized
    assert "".join(ours.decode_stream(ids)) == normalized


@settings(max_examples=150)
@given(TEXTS)
def test_special_tokens_as_tiktoken_takes_them(text):
    ours, theirs = load("cl100k_base"), reference("cl100k_base")
    text = text + "<|endoftext|>" + text + "<|fim_prefix|>"
    assert ours.encode(text, "special") == theirs.encode(text, allowed_special="all")
    assert ours.encode(text, "text", ["<|endoftext|>"]) == theirs.encode(
        text, allowed_special={"<|endoftext|>"}, disallowed_special=()
    )
    with pytest.raises(ValueError, match="special token"):
        ours.encode(text, allowed=["<|endoftext|>"])
    with pytest.raises(ValueError, match="'<x>' is no special token"):
        ours.encode(text, allowed=["<x>"])


@settings(max_examples=150)
@given(TEXTS)
def test_the_newer_gpt4_pattern_changes_no_ids(text):
    assert load("cl100k_base").encode(text, "text") == reference("cl100k_base", NEWER_GPT4).encode_ordinary(
        text
    )


def test_the_newer_gpt4_pattern_changes_pieces():
    assert split("a  \n  ", "gpt4") == ["a", "  \n", "  "]
    assert split("a  \n  ", NEWER_GPT4) == ["a", "  \n  "]


@pytest.mark.parametrize("text", FILES)
def test_deepseek_ids_of_real_text(text):
    sample = corpus.text(text)
    theirs = deepseek().encode(sample, add_special_tokens=False)
    ours = load("deepseek").encoding(sample, special="special", add_special_tokens=False)
    assert list(ours.ids) == theirs.ids
    assert list(ours.tokens) == theirs.tokens
    assert load("deepseek").decode(ours.ids, skip_special_tokens=False) == sample


@settings(max_examples=400)
@given(TEXTS)
def test_deepseek_ids_of_any_text(text):
    text = text + "<｜end▁of▁sentence｜>" + text
    theirs = deepseek().encode(text)
    ours = load("deepseek").encoding(text, special="special")
    assert list(ours.ids) == theirs.ids
    assert list(ours.offsets) == [tuple(place) for place in theirs.offsets]
    for skip in (True, False):
        assert load("deepseek").decode(theirs.ids, skip) == deepseek().decode(
            theirs.ids, skip_special_tokens=skip
        )


@settings(max_examples=150)
@given(TEXTS)
def test_the_deepseek_pattern_is_its_pre_tokenizer(text):
    pieces = [text[a:b] for _, (a, b) in deepseek().pre_tokenizer.pre_tokenize_str(text)]
    assert split(text, "deepseek") == pieces


# facts of the published vocabularies


def test_known_entries():
    gpt2, cl100k = load("gpt2"), load("cl100k_base")
    assert gpt2.decode([262, 23748]) == " the hello" and gpt2.decode([24288]) == " domination"
    assert [cl100k.decode([id]) for id in (220, 279, 24748)] == [" ", " the", " hello"]
    assert load("qwen3.5").decode(range(111420, 111426)) == "和高事先分手分辨率掌控小时内"
    assert load("qwen2.5").special_ids["<|im_start|>"] == 151644
    assert load("qwen3.5").special_ids["<|im_end|>"] == 248046
    holes = set(range(100277)) - set(cl100k.vocabulary)
    assert holes == {100256, *range(100261, 100276)}
    for id in (100256, 100261, 100277, -1):
        with pytest.raises(ValueError, match=f"id {id} is not"):
            cl100k.decode([id])


@pytest.mark.parametrize(
    ("name", "tokens"),
    [("gpt2", 14), ("cl100k_base", 8), ("o200k_base", 5), ("qwen2.5", 3), ("qwen3.5", 2), ("deepseek", 2)],
)
def test_one_sentence_everywhere(name, tokens):
    assert len(load(name).encode("我爱这座城市")) == tokens
    assert len(load(name).encode("I love this city")) == 4


def test_normalization_is_up_to_the_form():
    qwen = load("qwen2.5")
    assert qwen.decode(qwen.encode("cafe\u0301")) == "caf\u00e9" == qwen.normalize("cafe\u0301")


def test_tokens_without_a_pair():
    spelled = [merge for merge in load("qwen3.5").merges if isinstance(merge, bytes)]
    assert len(spelled) == 232
    assert not any(isinstance(merge, bytes) for merge in load("o200k_base").merges)


# where the files come from


def test_carriers_are_read_and_never_run():
    program = (
        "import sys; from bpe_lessons import vocabularies as v\n"
        "for n in v.SOURCES: v.find(n)\n"
        "print(sorted({s.path.split('/')[0] for s in v.SOURCES.values()} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_unknown_names():
    with pytest.raises(ValueError, match="unknown vocabulary 'gpt9'; known: gpt2, cl100k_base"):
        load("gpt9")


@pytest.fixture
def without_carriers(monkeypatch, tmp_path):
    monkeypatch.setattr(vocabularies, "_in_carrier", lambda source: None)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_a_missing_file_says_what_to_install(without_carriers, monkeypatch):
    monkeypatch.setattr(
        vocabularies.urllib.request, "urlopen", lambda *a, **k: pytest.fail("went to the network")
    )
    for name, source in vocabularies.SOURCES.items():
        with pytest.raises(LookupError, match=f"pip install {source.carrier}"):
            find(name)


def test_tiktokens_cache_is_read_and_checked(without_carriers):
    source = vocabularies.SOURCES["gpt2 merges"]
    cached = without_carriers / hashlib.sha1(source.address.encode()).hexdigest()
    cached.write_bytes(b"#version: 0.2\n")
    with pytest.raises(ValueError, match="not the published file"):
        find("gpt2 merges")


def test_a_download_is_checked_and_times_out(without_carriers, monkeypatch):
    asked = {}

    class Answer:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def read(self, size):
            return b"another file"

    def urlopen(address, timeout):
        asked[address] = timeout
        return Answer()

    monkeypatch.setattr(vocabularies.urllib.request, "urlopen", urlopen)
    with pytest.raises(ValueError, match="not the published file"):
        find("gpt2 merges", download=True)
    assert list(asked.values()) == [vocabularies.SECONDS]

    def silent(address, timeout):
        raise TimeoutError("timed out")

    monkeypatch.setattr(vocabularies.urllib.request, "urlopen", silent)
    with pytest.raises(LookupError, match="does not answer: timed out"):
        find("gpt2 merges", download=True)
    with pytest.raises(LookupError, match="pip install deepseek"):
        find("deepseek", download=True)
