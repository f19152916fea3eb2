"""The engine gives what the lessons give, on anything; and its work grows as it should."""

import pickle
import tracemalloc
from dataclasses import replace
from importlib import import_module
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_lesson import trainings
from texts import TEXTS

from bpe_lessons import Tokenizer, corpus, engine, lesson, split
from bpe_lessons.engine.cut import ASCII, Cutter
from bpe_lessons.engine.encode import LONG, _merge_long, _merge_short

NAMED = [name for name in split.PATTERNS if name != "none"]


def assert_equal_training(rows, start, merges, ties, min_frequency):
    learned = lesson.learn(lesson.train(rows, start, merges, ties, min_frequency))
    found = engine.train(rows, start, merges, ties, min_frequency)
    assert (found.merges, found.counts, found.stopped) == (learned.merges, learned.counts, learned.stopped)


# train


@settings(max_examples=1000)
@given(trainings(), st.integers(0, 25), st.integers(1, 3))
def test_training_is_the_lessons(training, merges, min_frequency):
    rows, start, ties = training
    assert_equal_training(rows, start, merges, ties, min_frequency)


@settings(max_examples=500)
@given(
    st.dictionaries(st.text("ab", max_size=14), st.integers(1, 4), max_size=5),
    st.sampled_from(["first", "smallest", "greatest"]),
    st.sampled_from(["", "_"]),
    st.booleans(),
)
def test_training_with_many_ties_and_runs(pieces, ties, marker, glued):
    rows, start = lesson.spell(pieces, "characters", marker, glued)
    assert_equal_training(rows, start, 30, ties, 1)


@pytest.mark.parametrize("ties", ["first", "smallest", "greatest"])
@pytest.mark.parametrize("text", ["", "a", "a" * 300, "🚲" * 40, "低低 low 低" * 20, "ab" * 150 + "ba" * 150])
def test_training_on_edges(text, ties):
    for pattern in ("none", "gpt4"):
        rows, start = lesson.spell(split.count(text, pattern), "glyphs")
        assert_equal_training(rows, start, 60, ties, 1)


@pytest.mark.parametrize("name", ["english", "chinese", "mixed"])
@pytest.mark.parametrize("ties", ["first", "smallest", "greatest"])
def test_training_on_real_text(name, ties):
    rows, start = lesson.spell(split.count(corpus.text(name)[:8000]))
    assert_equal_training(rows, start, 150, ties, 1)


@settings(max_examples=200)
@given(
    st.dictionaries(st.text(max_size=8), st.integers(1, 9), max_size=6), st.sampled_from(["bytes", "glyphs"])
)
def test_spelling_is_the_lessons(pieces, alphabet):
    rows, _ = lesson.spell(pieces, alphabet)
    ours, theirs = engine.spell(pieces, lesson.byte_order(alphabet)), engine.Rows.of(rows)
    for mine, right in ((ours.ids, theirs.ids), (ours.lengths, theirs.lengths), (ours.counts, theirs.counts)):
        assert mine.tolist() == right.tolist()


def test_eight_thousand_merges_as_hugging_face_learns_them():
    from tokenizers import Regex, models, pre_tokenizers, trainers
    from tokenizers import Tokenizer as HuggingFace

    text = corpus.text("english") + corpus.text("chinese") + corpus.text("mixed")
    ours = Tokenizer.train(text, vocab_size=8256, alphabet="glyphs", ties="smallest")
    model = HuggingFace(models.BPE())
    (pattern,) = split.PATTERNS["gpt4"]
    model.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=8256, show_progress=False, initial_alphabet=alphabet)
    model.train_from_iterator([text], trainer)
    assert len(ours.merges) == 8000
    for name in ("english_heldout", "chinese_heldout"):
        assert ours.encode(corpus.text(name)) == model.encode(corpus.text(name)).ids


def test_merges_as_rustbpe_learns_them():
    rustbpe = pytest.importorskip("rustbpe")
    text = corpus.text("english")
    ours = Tokenizer.train(text, vocab_size=4256, ties="smallest")
    theirs = rustbpe.Tokenizer()
    theirs.train_from_iterator(iter([text]), 4256, pattern=split.PATTERNS["gpt4"][0])
    assert ours.token_ids == {bytes(token): rank for token, rank in theirs.get_mergeable_ranks()}


def test_stopping_by_hand_keeps_what_was_learned():
    rows, start = lesson.spell(split.count(corpus.text("english")[:5000]))

    def stop(learned):
        if learned == 7:
            raise KeyboardInterrupt

    found = engine.train(rows, start, 100, on_merge=stop)
    assert found.stopped == "stopped by hand"
    assert found.merges == engine.train(rows, start, 7).merges


def test_rows_that_never_occur_hold_no_pair():
    rows, start = [([97, 98], 0), ([99, 100], 1)], {id: bytes([id]) for id in range(256)}
    for corpus_rows in (rows, rows[:1]):
        fast, slow = engine.train(corpus_rows, start, 5), lesson.learn(lesson.train(corpus_rows, start, 5))
        assert (fast.merges, fast.counts, fast.stopped) == (slow.merges, slow.counts, slow.stopped)


def test_progress_is_told_after_every_merge():
    told = []
    tokenizer = Tokenizer.train("low lower lowest", merges=5, on_merge=told.append)
    assert told == [1, 2, 3, 4, 5] and len(tokenizer.merges) == 5


def test_unknown_tie_rule():
    with pytest.raises(ValueError, match="unknown tie rule 'last'"):
        engine.train([([1, 2], 1)], {1: b"a", 2: b"b"}, 1, "last")


# cut and count


@pytest.mark.parametrize("name", NAMED)
@settings(max_examples=300)
@given(st.lists(TEXTS, max_size=4), st.integers(1, 12), st.sampled_from([" and ", "\n", "。\n天", "\na"]))
def test_stretches_change_no_piece(name, texts, size, between):
    text = between.join(texts)
    cutter = Cutter(split.PATTERNS[name])
    stretches = list(cutter.stretches(text, size))
    assert "".join(stretches) == text
    assert [piece for stretch in stretches for piece in split.split(stretch, name)] == split.split(text, name)
    assert [piece for pieces in cutter.pieces(text) for piece in pieces] == split.split(text, name)
    arriving = cutter.of_chunks(text[i : i + size] for i in range(0, len(text), size))
    assert [piece for stretch in arriving for piece in split.split(stretch, name)] == split.split(text, name)


@pytest.mark.parametrize("name", NAMED)
def test_no_string_of_few_characters_is_cut_wrongly(name):
    cutter = Cutter(split.PATTERNS[name])
    for text in map("".join, product(" \n\ra低.'1", repeat=5)):
        stretches = list(cutter.stretches(text, 1))
        if len(stretches) > 1:
            assert [p for part in stretches for p in split.split(part, name)] == split.split(text, name)


def test_text_without_spaces_is_cut_at_its_lines():
    cutter = Cutter(split.PATTERNS["gpt4"])
    assert list(cutter.of_chunks(["今天", "天气好。\n明", "天\n\n后天"])) == [
        "今天天气好。\n",
        "明天\n\n后天",
    ]


@pytest.mark.parametrize("name", list(ASCII))
@settings(max_examples=400)
@given(
    st.one_of(
        st.text(st.characters(max_codepoint=127), max_size=40),
        st.text("aA'sSlLtT1 \t\n\r\x0b\x1c\x1f/_!", max_size=40),
    )
)
def test_ascii_expressions_are_the_full_ones(name, text):
    assert ASCII[name].findall(text) == split.split(text, name)


def test_a_newline_is_no_safe_place():
    for pattern, text in (("gpt4", "one \n  \n two"), ("o200k", "x.\n/y")):
        assert list(Cutter(split.PATTERNS[pattern]).stretches(text, 1))[-1].count("\n") in (
            0,
            text.count("\n"),
        )
        assert engine.count(text, pattern) == split.count(text, pattern)


@pytest.mark.parametrize("pattern", ["gpt4", "none", "deepseek", "[a-z]+|[^a-z]"])
def test_counting_text_and_files(tmp_path, monkeypatch, pattern):
    monkeypatch.setattr(import_module("bpe_lessons.engine.count"), "CHUNK", 5000)
    texts = [corpus.text("mixed"), corpus.text("chinese_heldout")]
    paths = [tmp_path / f"{n}.txt" for n in range(2)]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    right = [split.count(text, pattern) for text in texts]
    assert list(engine.count(texts[0], pattern).items()) == list(right[0].items())
    both = engine.count(paths, pattern)
    assert both == {p: right[0].get(p, 0) + right[1].get(p, 0) for p in [*right[0], *right[1]]}
    for processes in (2, 3):
        assert list(engine.count(paths, pattern, processes).items()) == list(both.items())
        assert list(engine.count(texts[0], pattern, processes).items()) == list(right[0].items())


def test_files_that_are_not_utf8(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\xef\xbb\xbfab cd")
    assert engine.count(path) == {"ab": 1, " cd": 1}
    path.write_bytes("你好".encode()[:-1])
    with pytest.raises(ValueError, match=r"bad\.txt ends inside a character, at offset 3"):
        engine.count(path)
    path.write_bytes(b"low " * 5000 + b"\xff")
    with pytest.raises(ValueError, match=r"bad\.txt is not utf-8: byte 0xff at offset 20000"):
        engine.count(path)


def test_ties_do_not_depend_on_processes(tmp_path):
    paths = []
    for n, text in enumerate(("ba ab", "ab ca", "ca ba dd")):
        paths.append(tmp_path / f"{n}.txt")
        paths[-1].write_text(text, encoding="utf-8")
    merges = set()
    for processes in (1, 2, 3):
        rows, start = lesson.spell(
            {p.strip(): n for p, n in engine.count(paths, "simple", processes).items()}
        )
        merges.add(tuple(engine.train(rows, start, 4).merges))
    assert len(merges) == 1


# encode


@settings(max_examples=400)
@given(trainings(), st.data())
def test_encoding_is_the_lessons(training, data):
    rows, start, ties = training
    rules = lesson.numbered(engine.train(rows, start, 20, ties).merges, len(start))
    symbols = sorted({id for ids, _ in rows for id in ids} or {0})
    for ids in [*(ids for ids, _ in rows), data.draw(st.lists(st.sampled_from(symbols), max_size=40))]:
        right = lesson.encode(ids, rules)
        assert _merge_short(list(ids), rules) == _merge_long(list(ids), rules) == right


@settings(max_examples=50)
@given(st.text("ab", min_size=LONG, max_size=400))
def test_long_pieces(text):
    tokenizer = Tokenizer.train("abba baab aabb bbaa " * 5, merges=30, pattern="none")
    assert tokenizer.encode(text) == lesson.encode(list(text.encode()), tokenizer.rules)


TOKENIZER = Tokenizer.train(corpus.text("mixed"), merges=300)


@settings(max_examples=200)
@given(
    st.lists(TEXTS, max_size=6), st.lists(st.integers(1, 30), max_size=30), st.sampled_from(["none", "NFC"])
)
def test_any_chunks_give_the_same_ids(texts, sizes, normalization):
    text = " word ".join(texts)
    tokenizer = Tokenizer(TOKENIZER.merges, normalization=normalization)
    places = [0]
    for size in sizes:
        places.append(min(len(text), places[-1] + size))
    chunks = [text[a:b] for a, b in pairwise([*places, len(text)])]
    assert list(tokenizer.encode_iterable(chunks)) == tokenizer.encode(text)


def test_a_stream_holds_little():
    chunk = corpus.text("english_heldout")
    list(TOKENIZER.encode_iterable([chunk]))  # fill the cache first

    def peak(chunks):
        tracemalloc.start()
        for _ in TOKENIZER.encode_iterable(chunk for _ in range(chunks)):
            pass
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert peak(12) < 1.5 * peak(3) < 20 * len(chunk)


def test_batches_and_pickles():
    texts = [corpus.text("mixed")[n * 500 : n * 500 + 500] for n in range(20)]
    right = [TOKENIZER.encode(text, "text") for text in texts]
    assert TOKENIZER.encode_batch(texts, special="text") == right
    assert TOKENIZER.encode_batch(texts, processes=2, special="text") == right
    again = pickle.loads(pickle.dumps(TOKENIZER))
    assert again == TOKENIZER and again.encode(texts[0]) == right[0]
    assert len(pickle.dumps(TOKENIZER)) < 10_000


def test_the_cache_is_bounded(monkeypatch):
    monkeypatch.setattr("bpe_lessons.engine.encode.CACHED", 50)
    tokenizer = Tokenizer(TOKENIZER.merges)
    assert tokenizer.encode(corpus.text("english_heldout")) == TOKENIZER.encode(
        corpus.text("english_heldout")
    )
    assert len(tokenizer._encoder) <= 50


# how the work grows, counted in operations


def looked_up(ids, rules):
    """How many times the encoder asks for a rule."""

    class Counting(dict):
        asked = 0

        def get(self, *key):
            Counting.asked += 1
            return super().get(*key)

    Counting.asked = 0
    _merge_long(list(ids), Counting(rules))
    return Counting.asked


@pytest.mark.parametrize("unit", ["a", "ab", "低", "abcdefgh"])
def test_encoding_a_long_run_is_not_quadratic(unit):
    tokenizer = Tokenizer.train(unit * 500, merges=40, pattern="none")
    once, twice = (looked_up((unit * n).encode(), tokenizer.rules) for n in (20_000, 40_000))
    assert twice < 2.2 * once


@pytest.mark.parametrize("text", ["a" * 1_000_000, "0123456789" * 100_000, "低低你好" * 80_000])
def test_a_megabyte_in_one_piece(text):
    tokenizer = Tokenizer.train(text, merges=30, pattern="none")
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert len(ids) < len(text)


def test_a_hundred_thousand_words_that_come_once():
    words = {f"{n:x}".translate(str.maketrans("0123456789", "ghijklmnop")): 1 for n in range(100_000)}
    tokenizer = Tokenizer.train(words, merges=2000)
    assert len(tokenizer.merges) == 2000
    rows, start = lesson.spell(dict(list(words.items())[:2000]))
    assert_equal_training(rows, start, 60, "first", 1)


def test_known_long_runs():
    from bpe_lessons.vocabularies import load

    cl100k, gpt2 = load("cl100k_base"), load("gpt2")
    assert cl100k.encode("a" * 100_000) == [70540] * 12_500
    assert cl100k.encode("^" * 100_000) == [62824] * 25_000
    assert cl100k.encode(" " * 100_000) == [58040] * 781 + [792]
    assert gpt2.encode(" " * 20_000) == [220] * 20_000


def test_counting_a_file_holds_its_types_not_its_text(tmp_path, monkeypatch):
    monkeypatch.setattr(import_module("bpe_lessons.engine.count"), "CHUNK", 50_000)
    path = tmp_path / "long.txt"
    path.write_bytes(corpus.text("english").encode() * 40)  # 6 MB
    engine.count(path)
    tracemalloc.start()
    engine.count(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2


@given(
    st.binary(max_size=12),
    st.dictionaries(st.text(alphabet="ab", min_size=1, max_size=5), st.integers(0, 30)),
)
def test_merging_by_rank_is_the_lessons(piece, spelled):
    ranks = {token.encode(): rank for token, rank in spelled.items()}
    piece = bytes(b"ab"[byte % 2] for byte in piece)
    for below in (0, 7, 31):
        assert engine.merge_by_rank(piece, ranks, below) == lesson.merge_by_rank(piece, ranks, below)


@settings(max_examples=300)
@given(
    st.text("aab bc低", max_size=60),
    st.sampled_from(["none", "gpt4"]),
    st.sampled_from(["first", "smallest", "greatest"]),
    st.integers(1, 3),
)
def test_a_learned_token_is_encoded_as_itself(text, pattern, ties, least):
    learned = Tokenizer.train(text, merges=30, pattern=pattern, ties=ties, min_frequency=least)
    for id, token in learned.vocabulary.items():
        assert lesson.encode([*token], learned.rules) == [id]
    assert learned.encode(text) == Tokenizer(learned.merges, pattern).encode(text)
    copy = pickle.loads(pickle.dumps(learned.truncate(256 + len(learned.merges) // 2)))
    assert copy.encode(text) == Tokenizer(copy.merges, pattern).encode(text)


def test_only_learned_merges_are_trusted():
    learned = Tokenizer.train("abcabc", merges=3)
    other = replace(learned, merges=((97, 98), (98, 99), (97, 257)))
    assert other.encode("abc") == [256, 99]
