"""Lesson and engine against witnesses that share no code with them.

- The slow oracle of tests/oracle.py, written from the definitions: start alphabets, pieces (by a scanner
  without regular expressions), merges, counts, why training ended, ids; on small alphabets full of ties, on
  markers, on Chinese and emoji whose characters share bytes.
- tiktoken, built from the ranks of a trained tokenizer: ids, streams, decoding, policies for special tokens.
- tokenizers: merges of BpeTrainer over characters, special tokens that overlap, decoding as a stream.
- rustbpe (where installed): merges where nearly every round ties.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import oracle
import pytest
import tiktoken
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from texts import ASSIGNED, TEXTS

from bpe_lessons import Tokenizer, corpus, engine, files, lesson, split

TIES = st.sampled_from(["first", "smallest", "greatest"])
# Few symbols make many ties. 低 and 底 share bytes, and so do the two emoji; `_` is also a marker below.
FEW = ["ab", "aab_", "低底你", "🚲🚴a", "a b", "é_e"]
PIECES = st.sampled_from(FEW).flatmap(
    lambda few: st.dictionaries(st.text(few, max_size=9), st.integers(1, 3), max_size=6)
)
SPELLED = st.tuples(
    PIECES,
    st.sampled_from(["characters", "bytes", "glyphs"]),
    st.sampled_from(["", "_", "</w>"]),
    st.booleans(),
)


# The oracle itself, against results worked out on paper


def test_the_oracle_on_paper():
    rows, spellings = oracle.spell({"aaabdaaabac": 1})
    merges, counts, rows, spellings = oracle.train(rows, spellings, 3, "first")
    assert (merges, counts) == ([(97, 97), (256, 97), (257, 98)], [4, 2, 2])
    assert oracle.ids(rows[0][0]) == [258, 100, 258, 97, 99] and spellings[258] == b"aaab"
    for ties, expected in {
        "first": "cb da ac acd",
        "smallest": "ac cb da acd",
        "greatest": "da cd cb acd",
    }.items():
        *_, spellings = oracle.train(*oracle.spell({"cb": 1, "da": 1, "acd": 1}), 9, ties)
        assert b" ".join(spellings[256:]).decode() == expected
    assert oracle.spell({"b": 1, "a_": 1}, "characters", "_")[1] == [b"_", b"_", b"a", b"b"]
    assert oracle.spell({"b": 1, "ab": 1}, "characters", "_", True)[1] == [b"a", b"b_"]
    assert oracle.gpt2("I'll  go") == ["I", "'ll", " ", " go"]
    assert oracle.gpt4("I'LL $go 1234!\n") == ["I", "'LL", " $", "go", " ", "123", "4", "!\n"]
    assert oracle.cut("xaab", ["a", "aa"]) == ["x", "aa", "b"]


# Lesson and engine against the oracle


@settings(max_examples=200)
@given(SPELLED)
def test_start_alphabets(spelled):
    rows, spellings = oracle.spell(*spelled)
    corpus_rows, vocabulary = lesson.spell(*spelled)
    assert [(oracle.ids(row), count) for row, count in rows] == corpus_rows
    assert vocabulary == dict(enumerate(spellings))


@settings(max_examples=400)
@given(SPELLED, st.integers(0, 14), TIES, st.integers(1, 4))
@example(({"a_x": 1, "a": 1}, "characters", "_", False), 9, "greatest", 1)  # two symbols spelled `_`
@example(({"ab": 1, "a": 1, "a_x": 1, "a_y": 1, "c": 2}, "characters", "_", False), 9, "greatest", 1)
def test_training(spelled, rounds, ties, min_frequency):
    merges, counts, rows, spellings = oracle.train(*oracle.spell(*spelled), rounds, ties, min_frequency)
    start = lesson.spell(*spelled)
    steps = list(lesson.train(*start, rounds, ties, min_frequency))
    assert [step.pair for step in steps] == merges and [step.count for step in steps] == counts
    assert lesson.grow(merges, start[1]) == dict(enumerate(spellings))
    end = steps[-1].corpus if steps else start[0]
    assert end == [(oracle.ids(row), count) for row, count in rows]
    fast = engine.train(*start, rounds, ties, min_frequency)
    assert (fast.merges, fast.counts) == (merges, counts)
    left = any(len(row) > 1 for row, _ in rows)
    reason = f"no pair occurs {min_frequency} times" if left else "no pair left"
    assert fast.stopped == ("size reached" if len(merges) == rounds else reason)


@settings(max_examples=200)
@given(SPELLED, TIES, st.data())
def test_encoding(spelled, ties, data):
    rows, spellings = oracle.spell(*spelled)
    merges, _, after, _ = oracle.train(rows, spellings, 12, ties)
    rules = lesson.numbered(merges, len(spellings))
    known = sorted({symbol for row, _ in rows for symbol in row} or {oracle.row([0])})
    drawn = data.draw(st.text(known, max_size=25))
    for row in [row for row, _ in rows] + [drawn]:
        right = oracle.encode(row, merges, len(spellings))
        ids = oracle.ids(row)
        assert lesson.encode(ids, rules) == lesson.encode_in_order(ids, rules) == right
        assert engine.merge_piece(ids, rules) == right
    assert [oracle.encode(row, merges, len(spellings)) for row, _ in rows] == [
        oracle.ids(row) for row, _ in after
    ]


@settings(max_examples=200)
@given(st.one_of(TEXTS, st.text("a1 \n\r'.低sL", max_size=30)), st.sampled_from(["gpt2", "gpt4"]))
def test_pieces(text, pattern):
    pieces = getattr(oracle, pattern)(text)
    assert split.split(text, pattern) == pieces
    assert list(engine.count(text, pattern).items()) == list(oracle.counted(pieces).items())


SPECIAL = ["<|end|>", "<|end|>x", "低"]


@settings(max_examples=120)
@given(
    st.lists(st.one_of(TEXTS, st.sampled_from(SPECIAL)), max_size=5).map("".join),
    st.sampled_from(["gpt2", "gpt4"]),
    TIES,
    st.sampled_from(["bytes", "glyphs"]),
)
def test_a_whole_tokenizer(text, pattern, ties, alphabet):
    """Text in, ids out: special tokens cut off, pieces, training, encoding, all of it done twice."""
    pieces = getattr(oracle, pattern)
    parts = [part for part in oracle.cut(text, SPECIAL) if part not in SPECIAL]
    rows, spellings = oracle.spell(
        oracle.counted([piece for part in parts for piece in pieces(part)]), alphabet
    )
    merges, *_ = oracle.train(rows, spellings, 9, ties)
    tokenizer = Tokenizer.train(
        text, merges=9, pattern=pattern, ties=ties, alphabet=alphabet, special_tokens=SPECIAL
    )
    assert list(tokenizer.merges) == merges
    special = {token: 256 + len(merges) + n for n, token in enumerate(SPECIAL)}
    for sample in (text, text[::-1], "the 低底 <|end|> end"):
        assert tokenizer.encode(sample, "special") == oracle.encode_text(
            sample, merges, alphabet, pieces, special
        )
        assert tokenizer.encode(sample, "text") == oracle.encode_text(sample, merges, alphabet, pieces)


# tiktoken


RUNS = Tokenizer.train("abab aaaa 低低低低 \n\n\n" * 9, merges=40, pattern="o200k")
TRAINED = {
    "plain": Tokenizer.train(
        corpus.text("mixed")[:8000], merges=200, special_tokens=["<|end|>", "<|pad|>"], ties="greatest"
    ),
    "glyphs": Tokenizer.train(
        corpus.text("chinese")[:4000],
        merges=200,
        pattern="gpt2",
        alphabet="glyphs",
        special_tokens=["<|end|>", "<|pad|>"],
    ),
    # the later token has the lower id; a gap is left out, for Hugging Face closes it
    "runs": replace(RUNS, special_tokens={"<|end|>": len(RUNS) + 1, "<|pad|>": len(RUNS)}),
}
trained = pytest.mark.parametrize("name", TRAINED)
WITH_SPECIAL = st.lists(
    st.one_of(TEXTS, st.sampled_from(["<|end|>", "<|pad|>", "<|", "end|>"])), max_size=6
).map("".join)


@cache
def as_tiktoken(ours):
    (expression,) = split.find_pattern(ours.pattern)
    return tiktoken.Encoding(
        "ours", pat_str=expression, mergeable_ranks=ours.token_ids, special_tokens=ours.special_ids
    )


@cache
def as_hugging_face(ours):
    return tokenizers.Tokenizer.from_str(json.dumps(files.to_tokenizer_json(ours)))


@trained
@settings(max_examples=100)
@given(WITH_SPECIAL)
def test_policies_of_tiktoken(name, text):
    ours, theirs = TRAINED[name], as_tiktoken(TRAINED[name])
    assert ours.encode(text, "text") == theirs.encode_ordinary(text)
    assert ours.encode(text, "text") == theirs.encode(text, disallowed_special=())
    ids = ours.encode(text, "special")
    assert ids == theirs.encode(text, allowed_special="all")
    assert theirs.decode(ids) == ours.decode(ids) == text
    assert [theirs.decode_single_token_bytes(id) for id in ids] == [ours.vocabulary[id] for id in ids]
    one = ours.encode(text, "text", allowed=["<|end|>"])
    assert one == theirs.encode(text, allowed_special={"<|end|>"}, disallowed_special=())
    for allowed in ([], ["<|end|>"], ["<|end|>", "<|pad|>"]):
        try:
            right = theirs.encode(text, allowed_special=set(allowed))
        except ValueError:
            with pytest.raises(ValueError, match="special token"):
                ours.encode(text, allowed=allowed)
        else:
            assert ours.encode(text, allowed=allowed) == right


@trained
@settings(max_examples=100)
@given(st.data())
def test_decoding_as_tiktoken(name, data):
    ours, theirs = TRAINED[name], as_tiktoken(TRAINED[name])
    ids = data.draw(st.lists(st.sampled_from(sorted(ours.vocabulary)), max_size=12))
    assert ours.decode_bytes(ids) == theirs.decode_bytes(ids)
    for errors in ("replace", "ignore"):
        assert ours.decode(ids, errors) == theirs.decode(ids, errors)
    assert "".join(ours.decode_stream(ids)) == theirs.decode(ids)
    assert theirs.max_token_value == max(ours.vocabulary)


@trained
@settings(max_examples=100)
@given(WITH_SPECIAL, st.lists(st.integers(1, 9), max_size=20))
def test_a_stream_as_tiktoken_encodes_the_whole(name, text, sizes):
    ours = TRAINED[name]
    places = [0]
    for size in sizes:
        places.append(min(len(text), places[-1] + size))
    chunks = [text[a:b] for a, b in pairwise([*places, len(text)])]
    assert list(ours.encode_iterable(iter(chunks))) == as_tiktoken(ours).encode_ordinary(text)


# tokenizers


@settings(max_examples=100)
@given(
    st.dictionaries(
        st.one_of(st.text("abc", min_size=1, max_size=7), st.text("低底你🚲a", min_size=1, max_size=7)),
        st.integers(1, 3),
        max_size=6,
    ),
    st.integers(1, 3),
)
def test_merges_over_characters_as_hugging_face(words, min_frequency):
    rows, start = lesson.spell(words, "characters")
    learned = engine.train(rows, start, 15, "smallest", min_frequency)
    vocabulary = lesson.grow(learned.merges, start)
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=len(start) + 15, min_frequency=min_frequency, show_progress=False
    )
    model.train_from_iterator([" ".join(word for word, n in words.items() for _ in range(n))], trainer)
    theirs = json.loads(model.to_str())["model"]
    assert theirs["vocab"] == {token.decode(): id for id, token in vocabulary.items()}
    assert theirs["merges"] == [[vocabulary[id].decode() for id in pair] for pair in learned.merges]


OVERLAP = Tokenizer(TRAINED["plain"].merges, special_tokens=["<a>", "<a><a>", "a><", "><a"])


@settings(max_examples=150)
@given(st.lists(st.sampled_from(["<a>", "<", "a>", "<a><a>", " ", "low", "低"]), max_size=10).map("".join))
def test_special_tokens_that_overlap_as_hugging_face(text):
    """The leftmost counts, and of those that begin there the longest."""
    ours, theirs = OVERLAP, as_hugging_face(OVERLAP)
    theirs.encode_special_tokens = False
    assert theirs.encode(text).ids == ours.encode(text, "special")
    theirs.encode_special_tokens = True
    assert theirs.encode(text).ids == ours.encode(text, "text")


@trained
@settings(max_examples=100)
@given(WITH_SPECIAL.filter(lambda text: "\ufffd" not in text))
def test_decoding_as_a_stream_as_hugging_face(name, text):
    ours = TRAINED[name]
    theirs = as_hugging_face(ours)
    ids = ours.encode(text, "special")
    stream = tokenizers.decoders.DecodeStream(skip_special_tokens=False)
    parts = [stream.step(theirs, id) or "" for id in ids]
    assert "".join(parts) == "".join(ours.decode_stream(ids)) == text


# rustbpe


@settings(max_examples=100)
@given(st.one_of(st.text("ab ", max_size=30), st.text("低底 a", max_size=20), st.text(ASSIGNED, max_size=30)))
def test_merges_in_ties_as_rustbpe(text):
    rustbpe = pytest.importorskip("rustbpe")
    ours = Tokenizer.train(text, merges=12, ties="smallest")
    theirs = rustbpe.Tokenizer()
    theirs.train_from_iterator(iter([text]), 268, pattern=split.PATTERNS["gpt4"][0])
    assert ours.token_ids == {bytes(token): rank for token, rank in theirs.get_mergeable_ranks()}
