"""The numbers of lesson 06 and 07: worked out by hand, by brute force, or by another library."""

import math
import subprocess
import sys

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXTS

from bpe_lessons import Tokenizer, measure, vocabularies
from bpe_lessons.split import PATTERNS

# Lesson 06: how long a text becomes

FOX = "déjà 🦊 北京 go"  # 12 characters; bytes: d 1, é 2, j 1, à 2, space, fox 4, space, 2 x 3, space, 2
TILES = "tall trees till the tilled tiles at the mill"


@pytest.fixture(scope="module")
def cl100k():
    return vocabularies.load("cl100k_base")


def test_bytes_and_characters_per_token(cl100k):
    ids = cl100k.encode(FOX)
    ranks = cl100k.token_ids
    peer = tiktoken.Encoding("x", pat_str=PATTERNS["gpt4"][0], mergeable_ranks=ranks, special_tokens={})
    assert ids == peer.encode(FOX) and len(ids) == 10
    assert measure.bytes_per_token(FOX, ids) == 2.1
    assert measure.characters_per_token(FOX, ids) == 1.2
    assert measure.tokens_per_word(FOX, ids) == 2.5


def test_lengths_come_from_the_bytes_of_tokens(cl100k):
    ids = cl100k.encode(FOX)
    lengths = measure.token_lengths(ids, cl100k.vocabulary)
    assert lengths == [1, 2, 3, 3, 1, 1, 3, 1, 3, 3]
    assert sum(lengths) == 21
    assert sum(len(cl100k.decode([id]).encode()) for id in ids) == 29  # what U+FFFD would make of it


def test_bits_per_byte():
    assert measure.bits_per_byte(2.0, tokens=10, size=21) == pytest.approx(1.373995277, abs=1e-9)
    # a model that knows nothing, one token a byte, pays eight bits for each
    assert measure.bits_per_byte(math.log(256), tokens=7, size=7) == pytest.approx(8)


@pytest.mark.parametrize("ties", ["smallest", "first"])
def test_the_curve_of_a_small_text(ties):
    tokenizer = Tokenizer.train(TILES, merges=12, ties=ties)
    curve = measure.size_curve(tokenizer, TILES, range(256, 269))
    assert list(curve["tokens"]) == [44, 38, 34, 31, 29, 27, 25, 23, 22, 21, 20, 19, 18]
    assert list(curve["bytes per token"]) == [44 / n for n in curve["tokens"]]
    assert list(curve.index) == list(range(256, 269)) and curve.index.name == "size"


def test_the_curve_stops_where_the_merges_run_out():
    tokenizer = Tokenizer.train("aaaa bb", vocab_size=1000)  # aa, aaaa, then b b and its space
    assert list(measure.size_curve(tokenizer, "aaaa", [256, 258, 300]).index) == [256, 258]


@given(TEXTS, TEXTS.filter(bool))
def test_a_larger_vocabulary_never_needs_more_tokens(trained_on, text):
    tokenizer = Tokenizer.train(trained_on, merges=20)
    tokens = list(measure.size_curve(tokenizer, text, range(256, 277))["tokens"])
    assert tokens == sorted(tokens, reverse=True)
    assert tokens[0] == len(text.encode())


@given(TEXTS.filter(bool))
def test_lengths_add_up_to_the_text(text):
    tokenizer = Tokenizer.train(text, merges=10)
    ids = tokenizer.encode(text)
    assert sum(measure.token_lengths(ids, tokenizer.vocabulary)) == len(text.encode())
    assert measure.bytes_per_token(text, ids) * len(ids) == pytest.approx(len(text.encode()))


def test_tokens_relative_to_a_base():
    alone = Tokenizer(())  # a token is a byte
    texts = {"en": ["ab", "cd"], "zh": ["你好", "我"], "de": ["ä", "c"], "xx": ["", "a"]}
    relative = measure.tokens_relative(alone, texts)
    assert relative.to_dict() == {"xx": 0.25, "de": 0.75, "en": 1.0, "zh": 2.25}
    assert list(relative.index) == ["xx", "de", "en", "zh"]  # in rising order
    assert measure.tokens_relative(alone, texts, base="zh")["en"] == pytest.approx(4 / 9)


# Lesson 06: what the rows of the table are used for


def test_row_uses_and_rare_rows():
    uses = measure.row_uses([3, 1, 3, 3], rows=5)
    assert uses.to_dict() == {0: 0, 1: 1, 2: 0, 3: 3, 4: 0}
    assert measure.rare_share(uses, below=1) == 0.6
    assert measure.rare_share(uses, below=2) == 0.8
    assert measure.rare_share(uses, below=4) == 1
    assert measure.row_uses([], rows=2).to_dict() == {0: 0, 1: 0}


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_row_uses_against_counting(ids, below):
    uses = measure.row_uses(ids, rows=10)
    assert list(uses) == [ids.count(id) for id in range(10)]
    assert measure.rare_share(uses, below) == sum(ids.count(id) < below for id in range(10)) / 10


# Lesson 06: what the table costs


def test_the_tables_of_the_articles():
    assert measure.embedding_parameters(32_000, 4096) == 262_144_000
    assert measure.embedding_parameters(128_256, 4096) == 1_050_673_152
    assert measure.embedding_parameters(256 + 65_280, 4096) == 536_870_912 == 2**29
    assert measure.embedding_parameters(128_256, 4096, tied=True) == 525_336_576


def test_the_ledger():
    ledger = measure.embedding_ledger(
        {"tied": (128_256, 2048, True, 1_235_814_400), "two tables": (10, 4, False, 160)}
    )
    assert list(ledger["embedding"]) == [262_668_288, 80]
    assert list(ledger["share"].round(4)) == [0.2125, 0.5]
    assert list(ledger.index) == ["tied", "two tables"]


def test_costs_of_a_length():
    assert measure.attention_cost(18, 64) / measure.attention_cost(4, 64) == 20.25  # (18/4) squared
    assert measure.cache_bytes(18, 64, 2) / measure.cache_bytes(4, 64, 2) == 4.5
    # by loops: every token looks at every token, with a score and a weighted sum, in every layer
    looks = sum(2 for _ in range(3) for _ in range(5) for _ in range(5) for _ in range(7))
    assert measure.attention_cost(5, width=7, layers=3) == looks
    # Llama-3.2-1B: 16 layers, 8 heads of 64 for keys and for values, two bytes each: 32 KiB a token
    assert measure.cache_bytes(1, width=8 * 64, layers=16) == 32 * 1024


def test_cost_of_a_byte():
    assert measure.output_cost(1000, 8) == 8000
    assert measure.cost_per_byte(12_000, 1000, 8, 4.0) == 5000
    # twice the rows pay only when the tokens grow by more than 28,000 / 20,000
    assert measure.cost_per_byte(12_000, 2000, 8, 4.0 * 1.4) == pytest.approx(5000)


def test_a_bill():
    assert measure.bill(1_500_000, 2.0) == 3.0
    assert measure.bill(0, 2.0) == 0
    assert measure.bill(250, 0) == 0


# Lesson 06: empty input

FAULTS = {
    "no bytes per token": lambda: measure.bytes_per_token("", []),
    "no characters per token": lambda: measure.characters_per_token("", []),
    "no tokens per word": lambda: measure.tokens_per_word(" \n", [1]),
    "no text to measure": lambda: measure.bits_per_byte(2.0, 0, 0),
    "an empty text": lambda: measure.size_curve(Tokenizer(()), "", [256]),
    "no text in the base": lambda: measure.tokens_relative(Tokenizer(()), {"zh": ["我"]}),
    "no text in the base language 'en'": lambda: measure.tokens_relative(
        Tokenizer(()), {"en": [""], "zh": ["我"]}
    ),
    "'zh' has 2 texts and 'en' 1": lambda: measure.tokens_relative(
        Tokenizer(()), {"en": ["I"], "zh": ["我", "你"]}
    ),
    "id 7 is not in a table of 5 rows": lambda: measure.row_uses([7], 5),
    "without rows has no uses": lambda: measure.row_uses([], 0),
    "no share": lambda: measure.rare_share(measure.row_uses([1], 2)[:0], 1),
    "0 rows x 8": lambda: measure.embedding_parameters(0, 8),
    "at least one model": lambda: measure.embedding_ledger({}),
    "x: the tables alone hold 80 of 79": lambda: measure.embedding_ledger({"x": (10, 4, False, 79)}),
    "make no model": lambda: measure.cost_per_byte(10, 10, 10, 0.0),
    "no attention": lambda: measure.attention_cost(0, 8),
    "no cache": lambda: measure.cache_bytes(0, 8, 1),
    "neither can be negative": lambda: measure.bill(-1, 2.0),
}


@pytest.mark.parametrize("says", FAULTS)
def test_faults_are_named(says):
    with pytest.raises(ValueError, match=says):
        FAULTS[says]()


def test_importing_the_package_does_not_import_pandas():
    code = "import sys, bpe_lessons; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
