"""WordPiece: the score by hand and by brute force, the encoder and decoder against Hugging Face."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from texts import TEXTS
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

from bpe_lessons import corpus
from bpe_lessons.wordpiece import (
    LONGEST,
    MARK,
    UNKNOWN,
    cut_word,
    decode,
    encode,
    joined,
    scores,
    spell,
    start_symbols,
    text_of,
    train,
    vocabulary_of,
    words_of,
)

WORDS = st.dictionaries(st.text("ab", min_size=1, max_size=7), st.integers(1, 5), min_size=1, max_size=8)


def test_the_walkthrough():
    steps = list(train(spell(corpus.words("walkthrough")), 6))
    assert [(step.token, step.score) for step in steps] == [
        ("wi", Fraction(1, 3)),
        ("wid", Fraction(1, 3)),
        ("lo", Fraction(1, 7)),
        ("##st", Fraction(1, 9)),
        ("low", Fraction(1, 13)),
        ("##er", Fraction(1, 17)),
    ]
    assert steps[0].tied == [("w", "##i"), ("##i", "##d")]
    assert [len(step.tied) for step in steps] == [2, 1, 1, 1, 1, 6]
    assert steps[5].tied[0] == ("##e", "##r")
    assert steps[5].corpus == [
        (["low"], 5),
        (["low", "##er"], 2),
        (["n", "##e", "##w", "##e", "##st"], 6),
        (["wid", "##e", "##st"], 3),
    ]


def test_scores_of_another_corpus():
    found = scores(spell({"cab": 9, "tab": 4, "tan": 11, "ban": 3, "cabs": 6}))
    assert found == {
        ("c", "##a"): Fraction(1, 33),
        ("##a", "##b"): Fraction(1, 33),
        ("t", "##a"): Fraction(1, 33),
        ("##a", "##n"): Fraction(1, 33),
        ("b", "##a"): Fraction(1, 33),
        ("##b", "##s"): Fraction(1, 19),
    }
    assert max(found, key=found.get) == ("##b", "##s")  # not the most frequent pair, which is ##a + ##b


def by_brute_force(rows):
    """The pairs of best score in reading order, from positions counted one by one, cross-multiplied."""
    text = [list(symbols) for symbols, times in rows for _ in range(times)]
    singles = Counter(itertools.chain.from_iterable(text))
    pairs = Counter(pair for word in text for pair in itertools.pairwise(word))
    best = []
    for pair, count in pairs.items():
        value = (count, singles[pair[0]] * singles[pair[1]])
        if not best or value[0] * best[0][1] > best[0][0] * value[1]:
            best = [(*value, pair)]
        elif value[0] * best[0][1] == best[0][0] * value[1]:
            best.append((*value, pair))
    return best


@given(WORDS)
def test_every_round_takes_the_best_pair(words):
    rows = spell(words)
    for step in train(rows, 6):
        best = by_brute_force(rows)
        assert step.tied == [pair for *_, pair in best] and step.pair == step.tied[0]
        assert step.score == Fraction(best[0][0], best[0][1])
        assert [(text_of(symbols), times) for symbols, times in step.corpus] == list(words.items())
        assert step.pair not in [pair for symbols, _ in step.corpus for pair in itertools.pairwise(symbols)]
        rows = step.corpus


def test_a_score_can_rise():
    found = [step.score for step in train(spell(corpus.words("walkthrough")), 9)]
    assert any(after > before for before, after in zip(found, found[1:]))


def test_left_to_right_without_overlap():
    assert joined(["a", "##a", "##a", "##a", "##a"], ("##a", "##a")) == ["a", "##aa", "##aa"]
    assert joined(["a", "##a", "##a"], ("a", "##a")) == ["aa", "##a"]
    assert joined([], ("a", "##a")) == []


def reasons(rows, **rules):
    steps, run = [], train(rows, **rules)
    while True:
        try:
            steps.append(next(run))
        except StopIteration as end:
            return len(steps), end.value


def test_why_it_stops():
    assert reasons(spell({"ab": 3}), rounds=1) == (1, "size reached")
    assert reasons(spell({"ab": 3}), rounds=9) == (1, "no pair left")
    assert reasons(spell({"ab": 3, "cd": 2}), rounds=9, min_frequency=3) == (1, "no pair occurs 3 times")
    assert reasons(spell({}), rounds=9) == (0, "no pair left")


def test_rare_pairs_come_first_unless_a_frequency_is_asked_for():
    words = {"zq": 1, "the": 50, "then": 10}
    assert next(train(spell(words), 1)).token == "zq"
    assert next(train(spell(words), 1, min_frequency=2)).token != "zq"


def test_a_vocabulary():
    rows = spell({"abc": 2, "#a": 1})
    steps = list(train(rows, 9))
    found = vocabulary_of(rows, steps)
    assert list(found)[:6] == [UNKNOWN, "a", "##b", "##c", "#", "##a"]
    assert list(found.values()) == list(range(len(found)))
    assert {"abc", "#a"} <= set(found)
    for word in ("abc", "#a"):
        assert cut_word(word, found) == [word]


def test_a_word_that_looks_like_a_continuation_is_no_word_to_learn_from():
    with pytest.raises(ValueError, match="begins with ##"):
        spell({"##a": 1})
    with pytest.raises(ValueError, match="surrogate"):
        spell({"\ud800": 1})


# The encoder

VOCABULARIES = st.lists(
    st.tuples(st.booleans(), st.text("abé你#", min_size=1, max_size=4)).map(lambda it: MARK * it[0] + it[1]),
    max_size=14,
).map(lambda tokens: {token: id for id, token in enumerate(dict.fromkeys([UNKNOWN, *tokens]))})


def hugging_face(vocabulary, longest=LONGEST):
    model = models.WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=longest)
    return lambda word: [token.value for token in model.tokenize(word)]


@given(VOCABULARIES, st.text("abé你#", max_size=12), st.integers(0, 12))
@settings(max_examples=300)
def test_words_are_cut_as_hugging_face_cuts_them(vocabulary, word, longest):
    assert cut_word(word, vocabulary) == hugging_face(vocabulary)(word)
    assert cut_word(word, vocabulary, longest) == hugging_face(vocabulary, longest)(word)


@pytest.mark.parametrize(
    ("tokens", "text", "cut"),
    [
        ("a 𫠠", "a𫠠a", "a 𫠠 a"),  # U+2B820, a Hanzi for BERT, though not for Hugging Face
        # a dead end makes the whole word unknown
        ("un ##plan ##ned walk ##ing", "unplannedX walking unplanned", "[UNK] walk ##ing un ##plan ##ned"),
        # the longest first token can lead into a dead end: a + ##bcd would have fitted
        ("abc a ##bcd", "abcd abc", "[UNK] abc"),
        ("be r ##l ##in", "berlin be rlin", "[UNK] be r ##l ##in"),
        ("a ##a", "a" * 100, "a" + 99 * " ##a"),
        ("a ##a", "a" * 101, "[UNK]"),
        # the limit is in characters: 100 of é are 200 bytes
        ("é ##é", "é" * 100, "é" + 99 * " ##é"),
        ("é ##é", "é" * 101, "[UNK]"),
        ("我 你", "我你 我们", "我 你 我 [UNK]"),
        ("can ' t .", "can't.", "can ' t ."),
        ("a", " \t\n", ""),
        ("a", "", ""),
    ],
)
def test_texts(tokens, text, cut):
    vocabulary = {token: id for id, token in enumerate([UNKNOWN, *tokens.split()])}
    assert [list(vocabulary)[id] for id in encode(text, vocabulary)] == cut.split()


def trained():
    rows = spell(Counter(words_of(corpus.text("english")[:6000] + corpus.text("chinese")[:1000])))
    return vocabulary_of(rows, train(rows, 60, min_frequency=3))


TRAINED = trained()


def pipeline(vocabulary):
    """Hugging Face's whole way from text to tokens and back, without its clean-up of control characters."""
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(clean_text=False, strip_accents=False, lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=True)
    return tokenizer


@pytest.mark.parametrize("name", ["english_heldout", "chinese_heldout", "mixed"])
def test_real_texts_as_hugging_face(name):
    text = corpus.text(name)
    theirs = pipeline(TRAINED)
    ids = encode(text, TRAINED)
    assert ids == theirs.encode(text).ids
    assert decode(ids, TRAINED) == theirs.decode(ids, skip_special_tokens=False)


def cut_alike(character):
    """Whether both cut this character alike. Theirs follows an older Unicode and a shorter range of Hanzi."""
    theirs = pipeline(TRAINED)
    marked = theirs.normalizer.normalize_str(f"a{character}b")
    return list(words_of(f"a{character}b")) == [
        word for word, _ in theirs.pre_tokenizer.pre_tokenize_str(marked)
    ]


@given(TEXTS)
def test_any_text_as_hugging_face(text):
    assume(all(map(cut_alike, text)))
    assert encode(text, TRAINED) == pipeline(TRAINED).encode(text).ids


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["##er"], "##er"),
        (["bak", "##er"], "baker"),
        (["##er", "bak"], "##er bak"),
        (["can", "'", "t", "."], "can ' t."),
        (["bak", UNKNOWN], "bak [UNK]"),
        ([], ""),
        (["a", ",", "b", "?", "!"], "a, b?!"),
        ([".", "a"], ". a"),
    ],
)
def test_decoding(tokens, text):
    assert text_of(tokens) == text == decoders.WordPiece(cleanup=True).decode(tokens)


@given(st.lists(st.text("ab#.,?!'é", min_size=1, max_size=4), max_size=8))
def test_decoding_as_hugging_face(tokens):
    assert text_of(tokens) == decoders.WordPiece(cleanup=True).decode(tokens)


@given(st.text("abc你 .,", max_size=20))
def test_only_white_space_is_lost(text):
    rows = spell({"aabbcca": 1, "ba": 1, "ca": 1, "你": 1, ".": 1, ",": 1})
    vocabulary = vocabulary_of(rows, train(rows, 3))
    back = decode(encode(text, vocabulary), vocabulary)
    assert back.replace(" ", "") == text.replace(" ", "")


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"no \[UNK\]"):
        encode("a", {"a": 0})
    with pytest.raises(ValueError, match="surrogate"):
        encode("\ud800", TRAINED)
    with pytest.raises(ValueError, match="no token has the id 99999"):
        decode([0, 99999], TRAINED)


def test_start_symbols():
    assert start_symbols("你a好") == ["你", "##a", "##好"]
    assert start_symbols("") == []
