"""The readable algorithms: worked examples, laws, and other implementations as witnesses."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_lessons
from bpe_lessons import lesson, split
from bpe_lessons.lesson import count_pairs, grow, learn, merge, numbered, spell, train, utf8

TIES = ["first", "smallest", "greatest"]
SMALL = st.text(alphabet="aab \n", max_size=40)
TEXTS = st.one_of(SMALL, st.text(max_size=40), st.text(alphabet="low er低你好🚲é", max_size=40))


MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(bpe_lessons.__path__, "bpe_lessons.")
    if not name.endswith("__main__")
]


@pytest.mark.parametrize("module", MODULES)
def test_docstring_examples(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


# bytes


def test_utf8_edges():
    edges = {0x7F: "7f", 0x80: "c280", 0x7FF: "dfbf", 0x800: "e0a080", 0xFFFF: "efbfbf"}
    edges |= {0x10000: "f0908080", 0x10FFFF: "f48fbfbf"}
    assert {point: utf8(point).hex() for point in edges} == edges


@given(st.characters(exclude_categories=["Cs"]))
def test_utf8_is_pythons(character):
    assert utf8(ord(character)) == character.encode()


@pytest.mark.parametrize("point", [-1, 0xD800, 0xDFFF, 0x110000])
def test_utf8_refuses_what_is_no_character(point):
    with pytest.raises(ValueError, match="not the code point"):
        utf8(point)


# counting and merging


@pytest.mark.parametrize("n", range(1, 12))
def test_runs_count_every_position_and_merge_without_overlap(n):
    run = [(list(b"m" * n), 1)]
    assert count_pairs(run) == ({(109, 109): n - 1} if n > 1 else {})
    assert merge(run[0][0], (109, 109), 256) == [256] * (n // 2) + [109] * (n % 2)


def test_overlap_decides_the_first_merge():
    rows, start = spell({"kkkkekeke": 1})
    learned = learn(train(rows, start, 3))
    assert (learned.merges, learned.counts) == ([(107, 107), (101, 107), (256, 256)], [3, 2, 1])
    rows, start = spell({"a" * 1024: 1})
    learned = learn(train(rows, start, 18))
    assert learned.counts == [2**k - 1 for k in range(10, 0, -1)]
    assert learned.stopped == "no pair left"


@given(st.lists(st.integers(0, 2), max_size=30), st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_merge_loses_nothing(ids, pair):
    merged = merge(ids, pair, 9)
    assert [id for new in merged for id in (pair if new == 9 else (new,))] == ids
    assert pair[0] == pair[1] or pair not in list(zip(merged, merged[1:]))


# ties


@pytest.mark.parametrize(
    ("ties", "merges"),
    [
        ("first", ["zx", "yw", "xy", "xyx"]),
        ("smallest", ["xy", "yw", "zx", "xyx"]),
        ("greatest", ["zx", "yx", "yw", "xyx"]),
    ],
)
def test_tie_rules(ties, merges):
    rows, start = spell({"zx": 1, "yw": 1, "xyx": 1})
    steps = list(train(rows, start, 4, ties))
    vocabulary = grow([step.pair for step in steps], start)
    assert [vocabulary[step.new_id].decode() for step in steps] == merges
    assert all(step.pair in step.tied and step.count == 1 for step in steps)


def test_greatest_compares_element_by_element():
    pairs = [(b"m", b"n"), (b"m", b"q"), (b"n", b"zz"), (b"nm", b"m")]
    vocabulary = dict(enumerate(part for pair in pairs for part in pair))
    tied = [(2 * i, 2 * i + 1) for i in range(4)]
    assert lesson.choose(tied, vocabulary, "greatest") == (6, 7)


def test_unknown_tie_rule():
    with pytest.raises(ValueError, match="'last'; known: first, smallest, greatest"):
        list(train(*spell({"ab": 1}), 1, "last"))


def test_hash_seed_changes_nothing():
    program = (
        "from bpe_lessons.lesson import *\n"
        "for ties in ('first', 'smallest', 'greatest'):\n"
        "    for alphabet in ('bytes', 'glyphs', 'characters'):\n"
        "        rows = spell({'zx': 1, 'yw': 1, 'xyx': 1, '\\u4f4e \\u4f4e': 2}, alphabet, '_', True)\n"
        "        print(learn(train(*rows, 9, ties)))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(runs) == 1


ASSIGNED = st.characters(exclude_categories=["Cn", "Co", "Cs"])  # libraries differ in the newest Unicode


@given(st.one_of(SMALL, st.text(ASSIGNED, max_size=40)), st.integers(1, 3))
def test_smallest_is_hugging_face(sample, min_frequency):
    """Hugging Face numbers its alphabet by glyph and takes the smallest pair of ids."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    pieces = split.count(sample, "gpt2")
    rows, start = spell(pieces, "glyphs")
    learned = learn(train(rows, start, 12, "smallest", min_frequency))
    model = Tokenizer(models.BPE())
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + 12,
        min_frequency=min_frequency,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    model.train_from_iterator([sample], trainer)
    assert model.get_vocab_size() == 256 + len(learned.merges)
    rules = numbered(learned.merges)
    for piece, (ids, _) in zip(pieces, rows):
        assert lesson.encode(ids, rules) == model.encode(piece).ids


# the start of a training


def test_start_alphabets():
    assert spell({"ba": 2}, "characters") == ([([1, 0], 2)], {0: b"a", 1: b"b"})
    assert spell({"ba": 2}, "characters", "_") == ([([2, 1, 0], 2)], {0: b"_", 1: b"a", 2: b"b"})
    assert spell({"ba": 2}, "characters", "_", True) == ([([0, 1], 2)], {0: b"b", 1: b"a_"})
    rows, start = spell({"好": 1}, "bytes", "</w>", True)
    assert rows == [([0xE5, 0xA5, 256], 1)] and start[256] == b"\xbd</w>" and len(start) == 257
    assert list(spell({}, "glyphs")[1].values())[:2] == [b"!", b'"']
    assert spell({"": 3}) == ([([], 3)], {i: bytes([i]) for i in range(256)})


def test_symbols_spelled_alike_stay_apart():
    rows, start = spell({"a_": 1, "a": 1}, "characters", "_")
    assert rows[0][0][1] != rows[0][0][2]
    assert start[rows[0][0][1]] == start[rows[0][0][2]] == b"_"
    rows, start = spell({"a_b": 1, "a": 1}, "characters", "_", True)
    steps = list(train(rows, start, 9))
    vocabulary = grow([step.pair for step in steps], start)
    assert b"a_" in [vocabulary[id] for id in rows[1][0]]
    assert len(vocabulary) == len(start) + len(steps)


def test_unknown_alphabet():
    with pytest.raises(ValueError, match="'runes'; known: bytes, glyphs, characters"):
        spell({"a": 1}, "runes")


# the end of a training


@pytest.mark.parametrize(
    ("min_frequency", "counts", "stopped"),
    [
        (1, [3, 3, 2, 2, 1, 1, 1], "no pair left"),
        (2, [3, 3, 2, 2], "no pair occurs 2 times"),
        (3, [3, 3], "no pair occurs 3 times"),
    ],
)
def test_min_frequency(min_frequency, counts, stopped):
    rows, start = spell({"rim": 2, "rimmed": 1, "dew": 2})
    learned = learn(train(rows, start, 44, "smallest", min_frequency))
    assert (learned.counts, learned.stopped) == (counts, stopped)


def test_running_out_is_no_error():
    learned = learn(train(*spell({"ab": 2, "cab": 1}), 44, "smallest"))
    assert (learned.merges, learned.counts) == ([(97, 98), (99, 256)], [3, 1])
    for pieces in ({}, {"": 1}, {"q": 5}):
        assert learn(train(*spell(pieces), 44)) == lesson.Learned([], [], "no pair left")
    assert learn(train(*spell({"ab": 1}), 0)).stopped == "size reached"


# laws


@st.composite
def trainings(draw):
    """A training on a small text: its rows, start alphabet and merges."""
    pieces = split.count(draw(TEXTS), draw(st.sampled_from(list(split.PATTERNS))))
    alphabet = draw(st.sampled_from(["bytes", "glyphs", "characters"]))
    marker = draw(st.sampled_from(["", "_", "a"]))
    rows, start = spell(pieces, alphabet, marker, draw(st.booleans()))
    return rows, start, draw(st.sampled_from(TIES))


@given(trainings())
def test_every_step_is_honest(training):
    rows, start, ties = training
    vocabulary = dict(start)
    for step in train(rows, start, 15, ties):
        assert step.new_id == len(vocabulary)
        vocabulary[step.new_id] = vocabulary[step.pair[0]] + vocabulary[step.pair[1]]
        flat = [(pair, n) for ids, n in rows for pair in zip(ids, ids[1:])]
        counts = Counter()
        for pair, n in flat:
            counts[pair] += n
        top = max(counts.values())
        assert step.count == top
        assert step.tied == [pair for pair in dict.fromkeys(pair for pair, _ in flat) if counts[pair] == top]
        for (before, n), (after, m) in zip(rows, step.corpus, strict=True):
            assert n == m
            assert b"".join(vocabulary[i] for i in before) == b"".join(vocabulary[i] for i in after)
        assert sum(len(ids) for ids, _ in step.corpus) < sum(len(ids) for ids, _ in rows)
        rows = step.corpus


@given(trainings(), st.data())
def test_the_two_encoders_agree(training, data):
    rows, start, ties = training
    learned = learn(train(rows, start, 15, ties))
    rules = numbered(learned.merges, len(start))
    for ids, _ in rows:
        assert lesson.encode(ids, rules) == lesson.encode_in_order(ids, rules)
    new = data.draw(
        st.lists(st.sampled_from(sorted({id for ids, _ in rows for id in ids} or {0})), max_size=12)
    )
    assert lesson.encode(new, rules) == lesson.encode_in_order(new, rules)


@given(trainings())
def test_encoding_a_training_row_ends_where_training_ended(training):
    rows, start, ties = training
    steps = list(train(rows, start, 15, ties))
    rules = numbered([step.pair for step in steps], len(start))
    after = steps[-1].corpus if steps else rows
    assert [(lesson.encode(ids, rules), n) for ids, n in rows] == [(list(ids), n) for ids, n in after]


@given(st.binary(max_size=12))
def test_stream_holds_back_and_loses_nothing(data):
    vocabulary = {i: bytes([i]) for i in range(256)}
    parts = list(lesson.stream(data, vocabulary))
    assert "".join(parts) == lesson.decode(data, vocabulary)
    assert len(parts) == len(data) + 1


@given(st.text(max_size=12))
def test_stream_of_whole_text_never_shows_a_replacement(sample):
    vocabulary = {i: bytes([i]) for i in range(256)}
    parts = list(lesson.stream(sample.encode(), vocabulary))
    assert "".join(parts) == sample
    assert "".join(parts).count("\ufffd") == sample.count("\ufffd")
    assert parts[-1] == ""


# dropout


def cuts(data, rules):
    """Every way to merge some bytes, in any order and as far as one likes."""
    found = {tuple(data)}
    todo = [tuple(data)]
    while todo:
        ids = todo.pop()
        for i, pair in enumerate(zip(ids, ids[1:])):
            if pair in rules:
                shorter = (*ids[:i], rules[pair], *ids[i + 2 :])
                if shorter not in found:
                    found.add(shorter)
                    todo.append(shorter)
    return found


RULES = numbered([(97, 97), (97, 98), (256, 97), (256, 257)])


@given(st.text(alphabet="abc", max_size=9), st.integers(0, 9), st.sampled_from([0.1, 0.5, 0.9]))
def test_dropout_gives_one_of_the_possible_cuts(sample, seed, dropout):
    ids = lesson.encode_with_dropout(sample.encode(), RULES, dropout, Random(seed))
    assert tuple(ids) in cuts(sample.encode(), RULES)
    assert ids == lesson.encode_with_dropout(sample.encode(), RULES, dropout, Random(seed))


@given(st.text(alphabet="aab", max_size=20))
def test_dropout_at_its_ends(sample):
    data = list(sample.encode())
    assert lesson.encode_with_dropout(data, RULES, 0, Random(0)) == lesson.encode(data, RULES)
    assert lesson.encode_with_dropout(data, RULES, 1, Random(0)) == data


def test_dropout_leaves_out_as_often_as_asked():
    random = Random(1)
    whole = sum(
        lesson.encode_with_dropout(b"ab", numbered([(97, 98)]), 0.3, random) == [256] for _ in range(4000)
    )
    assert 0.67 < whole / 4000 < 0.73
