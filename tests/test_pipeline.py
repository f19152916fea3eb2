"""Every stage of a tokenizer.json, against Hugging Face's own library and against worked examples."""

import json
import string

import pytest
import tokenizers
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from texts import FRAGMENTS, TEXTS

from bpe_lessons import glyphs
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.stages import Piece, decoder, normalizer, pre_tokenizer

BYTES = {glyph: n for n, glyph in enumerate(glyphs.GLYPHS.values())}


def byte_level(prefix=False, trim=True, use_regex=False):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": trim, "use_regex": use_regex}


def bpe(vocab, merges=(), **settings):
    return {"type": "BPE", "vocab": vocab, "merges": list(merges), **settings}


def added(content, id, **flags):
    off = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": id, "content": content, **off, "special": True, **flags}


def document(model=None, tokens=(), **stages):
    stages = {"normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None} | stages
    head = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": list(tokens)}
    return head | stages | {"model": model or bpe(BYTES)}


def both(data):
    return Pipeline(data), tokenizers.Tokenizer.from_str(json.dumps(data))


def assert_equal(data, text, add_special_tokens=True):
    ours, theirs = both(data)
    mine = ours.encoding(text, special="special", add_special_tokens=add_special_tokens)
    right = theirs.encode(text, add_special_tokens=add_special_tokens)
    assert list(mine.tokens) == right.tokens
    assert list(mine.ids) == right.ids
    assert list(mine.type_ids) == right.type_ids
    for skip in (True, False):
        assert ours.decode(mine.ids, skip) == theirs.decode(right.ids, skip_special_tokens=skip)
    return mine, right


def assert_equal_with_offsets(data, text):
    mine, right = assert_equal(data, text)
    assert list(mine.offsets) == [tuple(place) for place in right.offsets]


# normalizers


NORMALIZERS = [
    *({"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD", "StripAccents", "Lowercase", "Nmt")),
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": False,
        "lowercase": False,
    },
    {
        "type": "BertNormalizer",
        "clean_text": False,
        "handle_chinese_chars": False,
        "strip_accents": True,
        "lowercase": True,
    },
    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    {"type": "Replace", "pattern": {"Regex": " {2,}|\\n"}, "content": " "},
    {"type": "Prepend", "prepend": "▁"},
    {"type": "Strip", "strip_left": True, "strip_right": False},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
    {"type": "Sequence", "normalizers": []},
]


# Hugging Face's tables of marks and cases are older than Python's, so these meet common characters only.
OLDER = st.lists(st.one_of(FRAGMENTS, st.characters(max_codepoint=0x36F)), max_size=12).map("".join)


@pytest.mark.parametrize("data", NORMALIZERS, ids=lambda data: data["type"])
@settings(max_examples=120)
@given(OLDER)
def test_normalizers(data, text):
    theirs = tokenizers.Tokenizer.from_str(json.dumps(document(normalizer=data))).normalizer
    piece = normalizer(data)(Piece.of(text))
    assert piece.text == theirs.normalize_str(text)
    assert len(piece.text) == len(piece.spans)
    assert all(0 <= a <= b <= len(text) for a, b in piece.spans)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("é", {"NFC": "é", "NFD": "e\u0301", "NFKC": "é", "NFKD": "e\u0301"}),
        ("ﬂＢ７", {"NFC": "ﬂＢ７", "NFKC": "flB7"}),
        ("Ω", {"NFC": "Ω"}),
        ("뀨", {"NFD": "\u1101\u1172"}),
    ],
)
def test_unicode_forms(text, forms):
    for form, right in forms.items():
        assert normalizer({"type": form})(Piece.of(text)).text == right


def test_sentencepiece_like_normalization():
    steps = [
        {"type": "Nmt"},
        {"type": "NFKC"},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ]
    change = normalizer({"type": "Sequence", "normalizers": steps})
    assert [change(Piece.of(t)).text for t in ("a  dog…", "a\u200bdog", "a\u3000dog")] == [
        "▁a▁dog...",
        "▁a▁dog",
        "▁a▁dog",
    ]


def test_bert_puts_spaces_around_every_hanzi():
    """Also around Extension E, U+2B820 to U+2B91F, which Hugging Face 0.23 leaves out."""
    bert = normalizer({"type": "BertNormalizer", "lowercase": False})
    for hanzi in "中㐀𠮷𫠠豈":
        assert bert(Piece.of(f"x{hanzi}y")).text == f"x {hanzi} y"
    assert bert(Piece.of("xかy가z")).text == "xかy가z"


# pre-tokenizers


PATTERNS = [
    {"String": "-"},
    {"String": "."},
    {"String": " "},
    {"Regex": r"\p{N}{1,3}"},
    {"Regex": r"[a-z]+"},
    {"Regex": r"\s+"},
]
BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
PRE_TOKENIZERS = [
    byte_level(use_regex=True),
    byte_level(prefix=True),
    byte_level(prefix=True, use_regex=True),
    {"type": "Digits", "individual_digits": True},
    {"type": "Digits", "individual_digits": False},
    *({"type": "Punctuation", "behavior": behavior} for behavior in BEHAVIORS),
    *(
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": cut}
        for scheme in ("always", "first", "never")
        for cut in (True, False)
    ),
    {"type": "Whitespace"},
    {"type": "WhitespaceSplit"},
    {"type": "BertPreTokenizer"},
    {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "WhitespaceSplit"},
            {"type": "Digits", "individual_digits": True},
            byte_level(),
        ],
    },
    {"type": "Sequence", "pretokenizers": [byte_level(), {"type": "Digits", "individual_digits": True}]},
]


def pieces(data, text):
    return [(piece.text, piece.place(0, len(piece.text))) for piece in pre_tokenizer(data)(Piece.of(text))]


@pytest.mark.parametrize("behavior", BEHAVIORS)
@settings(max_examples=250)
@given(st.sampled_from(PATTERNS), st.booleans(), st.one_of(TEXTS, st.text("a-.1 ", max_size=12)))
def test_split(behavior, pattern, invert, text):
    data = {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}
    theirs = tokenizers.Tokenizer.from_str(json.dumps(document(pre_tokenizer=data))).pre_tokenizer
    found = pieces(data, text)
    assert found == theirs.pre_tokenize_str(text)
    if behavior != "Removed":
        assert "".join(piece for piece, _ in found) == text


@pytest.mark.parametrize("data", PRE_TOKENIZERS, ids=lambda data: data["type"])
@settings(max_examples=120)
@given(TEXTS)
def test_pre_tokenizers(data, text):
    theirs = tokenizers.Tokenizer.from_str(json.dumps(document(pre_tokenizer=data))).pre_tokenizer
    assert pieces(data, text) == theirs.pre_tokenize_str(text)


def test_behaviors_by_hand():
    def cut(behavior, invert=False):
        data = {"type": "Split", "pattern": {"String": "+"}, "behavior": behavior, "invert": invert}
        return [text for text, _ in pieces(data, "a++b+")]

    assert cut("Removed") == ["a", "b"]
    assert cut("Isolated") == ["a", "+", "+", "b", "+"]
    assert cut("MergedWithPrevious") == ["a+", "+", "b+"]
    assert cut("MergedWithNext") == ["a", "+", "+b", "+"]
    assert cut("Contiguous") == ["a", "++", "b", "+"]
    assert cut("Removed", invert=True) == ["+", "+", "+"]


# the model


VOCAB = {
    "a": 5,
    "b": 9,
    "c": 2,
    "ab": 0,
    "bc": 1,
    "abc": 7,
    "?": 3,
    "<0xC3>": 4,
    "<0xA9>": 6,
    "#b": 8,
    "#c": 10,
    "a#": 11,
}


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(["a b", "b c", "ab c", "a bc"]), max_size=6),
    st.booleans(),
    st.sampled_from([None, "?"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.text("abcéx€ ", max_size=10),
)
def test_bpe_model(merges, as_pairs, unk, fuse, fallback, ignore, text):
    # Hugging Face 0.23 puts an unknown character behind byte tokens that follow it; here the order stays
    assume(not (fallback and unk and "é" in text and set(text) - set("abcé")))
    rows = [merge.split(" ") for merge in merges] if as_pairs else merges
    model = bpe(VOCAB, rows, unk_token=unk, fuse_unk=fuse, byte_fallback=fallback, ignore_merges=ignore)
    assert_equal(document(model, decoder={"type": "Fuse"}), text)


@settings(max_examples=100)
@given(st.text("abc", max_size=6), st.sampled_from([("#", None), (None, "#"), (None, None)]))
def test_prefix_and_suffix(text, marks):
    vocab = {
        symbol: n
        for n, symbol in enumerate(["a", "b", "c", "#a", "#b", "#c", "a#", "b#", "c#", "ab", "ab#", "#bc"])
    }
    merges = {"#": [("a", "#b"), ("#b", "#c")]}.get(marks[0], []) + {"#": [("a", "b"), ("a", "b#")]}.get(
        marks[1], []
    )
    model = bpe(
        vocab,
        [list(pair) for pair in merges],
        continuing_subword_prefix=marks[0],
        end_of_word_suffix=marks[1],
    )
    assert_equal(document(model, decoder={"type": "Fuse"}), text)


def ids(model, text):
    return Pipeline(document(model)).encode(text)


def test_merges_by_their_place():
    assert ids(bpe(VOCAB, ["b c", "a b"]), "abc") == [5, 1]  # the list decides, not the ids
    assert ids(bpe(VOCAB, ["a b", "b c", "a b"]), "abc") == [5, 1]  # the last place of a repeated merge
    assert ids(bpe(VOCAB, ["#version: 0.2", "a b"]), "ab") == [0]
    spaced = {"x": 0, " ": 1, "x ": 2}
    assert ids(bpe(spaced, [["x", " "]]), "x x") == [2, 0]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (bpe({"a": 0, " ": 1}, ["a  "]), "merges\\[0\\] 'a  ' is not a pair"),
        (bpe(VOCAB, ["ab"]), "is not a pair"),
        (bpe(VOCAB, [["a", "b", "c"]]), "is not a pair"),
        (bpe(VOCAB, [[1, 2]]), "is not a pair"),
        (bpe(VOCAB) | {"merges": {"a": 1}}, "merges is not a list"),
        (bpe({"a": 0, "ab": 1}, ["a b"]), "the token 'b' is not in vocab"),
        (bpe({"a": 0, "b": 1}, ["a b"]), "the token 'ab' is not in vocab"),
        (bpe({"a": 0, "b": 0}), "two tokens of vocab have one id"),
        (bpe({"a": -1}), "vocab is not a table"),
        (bpe({"a": "0"}), "vocab is not a table"),
        (bpe([["a", 0]]), "vocab is not a table"),
        (bpe({"a": 0}, unk_token="?"), "the unk_token '\\?' is not in vocab"),
        (bpe({"a": 0}, dropout=0.1), "dropout is not supported"),
        (bpe({"a": 0}, magic=1), "the field 'magic' is not supported"),
        ({"type": "BPX", "vocab": {}, "merges": []}, "the type 'BPX' is not supported"),
        ({"type": "BPE", "merges": []}, "the field 'vocab' is missing"),
        ([], "not a JSON object"),
    ],
)
def test_bad_models(model, message):
    with pytest.raises(ValueError, match=message):
        Pipeline(document(model=None) | {"model": model})


# added tokens


FLAGS = st.fixed_dictionaries({flag: st.booleans() for flag in ("single_word", "lstrip", "rstrip")})


@settings(max_examples=250)
@given(FLAGS, FLAGS, st.text("<m>a \n_x", max_size=20))
def test_flags_of_added_tokens(first, second, text):
    tokens = [added("<m>", 256, **first), added("ax", 257, **second)]
    data = document(tokens=tokens, pre_tokenizer=byte_level(), decoder=byte_level())
    assert_equal_with_offsets(data, text)


@settings(max_examples=150)
@given(
    st.lists(st.text("abc", min_size=2, max_size=4), unique=True, min_size=1, max_size=4),
    st.text("abcd", max_size=14),
)
def test_overlapping_added_tokens(contents, text):
    tokens = [added(content, 256 + n) for n, content in enumerate(contents)]
    assert_equal(document(tokens=tokens, pre_tokenizer=byte_level(), decoder=byte_level()), text)


def test_a_line_end_does_not_join_words():
    data = document(
        tokens=[added("cat", 256, single_word=True)], pre_tokenizer=byte_level(), decoder=byte_level()
    )
    for text in ("dog\ncat", "dog cat\ndog", "dogcat", "cat\n"):
        assert_equal_with_offsets(data, text)


def test_leftmost_then_longest():
    tokens = [added(content, 256 + n) for n, content in enumerate(["[x]", "[x][y]", "[y]", "]["])]
    encoding = Pipeline(document(tokens=tokens, pre_tokenizer=byte_level())).encoding(
        "[x][y]q[y]", special="special"
    )
    assert list(encoding.tokens) == ["[x][y]", "q", "[y]"]


@settings(max_examples=100)
@given(st.booleans(), TEXTS)
def test_normalized_added_tokens(normalized, text):
    data = document(
        tokens=[added("ÉÉ", 256, normalized=normalized, special=False)],
        normalizer={"type": "Lowercase"},
        pre_tokenizer=byte_level(),
        decoder=byte_level(),
    )
    assert_equal(data, f"ÉÉ éé {text} ÉÉ")


def test_added_ids():
    same = Pipeline(document(bpe(VOCAB, ["a b"]), [added("abc", 7)]))
    assert len(same) == len(VOCAB) and same.encode("ababc", special="special") == [0, 7]
    hole = Pipeline(
        document(bpe(VOCAB), [added("<z>", 40)])
    )  # the file's id counts; Hugging Face renumbers it
    assert hole.encode("a<z>", special="special") == [5, 40]
    for token, message in (
        (added("abc", 30), "'abc' has the id 30, in vocab 7"),
        (added("<z>", 5), "'<z>' has the id 5 of 'a'"),
        (added("", 30), "not a text with an id"),
        (added("<z>", -1), "not a text with an id"),
        (added("<z>", 30, magic=True), "the field 'magic' is not supported"),
    ):
        with pytest.raises(ValueError, match=message):
            Pipeline(document(bpe(VOCAB), [token]))
    with pytest.raises(ValueError, match="'<y>' has the id 30 of '<z>'"):
        Pipeline(document(bpe(VOCAB), [added("<z>", 30), added("<y>", 30)]))


def test_policies():
    pipeline = Pipeline(
        document(tokens=[added("<s>", 256), added("and", 257, special=False)], pre_tokenizer=byte_level())
    )
    with pytest.raises(ValueError, match="special token '<s>' at character 4"):
        pipeline.encode("and <s>")
    assert pipeline.encode("and <s>", special="special") == [257, BYTES["Ġ"], 256]
    assert pipeline.encode("and <s>", special="text") == [257, *(BYTES[g] for g in "Ġ<s>")]
    with pytest.raises(ValueError, match="unknown policy 'maybe'"):
        pipeline.encode("a", special="maybe")
    with pytest.raises(ValueError, match="surrogate"):
        pipeline.encode("\ud800")
    with pytest.raises(ValueError, match="id 999 is not in the vocabulary"):
        pipeline.decode([1, 999])
    with pytest.raises(ValueError, match="id -1 is not"):
        pipeline.decode([-1])


# byte level


@settings(max_examples=200)
@given(st.booleans(), st.booleans(), st.booleans(), TEXTS)
def test_byte_level_offsets(prefix, trim, use_regex, text):
    data = document(
        tokens=[added("<e>", 256)],
        pre_tokenizer=byte_level(prefix, trim, use_regex),
        post_processor=byte_level(prefix, trim, use_regex),
        decoder=byte_level(),
    )
    assert_equal_with_offsets(data, text)
    assert_equal(data, f"{text}<e>{text}<e> c")


@settings(max_examples=100)
@given(
    st.sampled_from(["always", "first", "never"]),
    st.lists(st.sampled_from(["<s>", " ", "a", "bc", "▁"]), max_size=8),
)
def test_metaspace_with_special_tokens(scheme, parts):
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}
    vocab = {symbol: n for n, symbol in enumerate("▁abc")}
    assert_equal(document(bpe(vocab), [added("<s>", 4)], pre_tokenizer=space, decoder=space), "".join(parts))


# decoders


DECODERS = [
    byte_level(),
    {"type": "ByteFallback"},
    {"type": "Fuse"},
    {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
    {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    None,
]
TOKENS = st.lists(
    st.sampled_from(["▁a", "b", "▁", "Ġc", "<0xE4>", "<0xBD>", "<0xA0>", "<0x41>", "é", "Ã©", " "]),
    max_size=8,
)


@pytest.mark.parametrize("data", DECODERS, ids=lambda data: data and data["type"])
@settings(max_examples=150)
@given(TOKENS)
def test_decoders(data, tokens):
    vocab = {token: n for n, token in enumerate(sorted(set(tokens)))}
    theirs = tokenizers.Tokenizer.from_str(json.dumps(document(bpe(vocab), decoder=data)))
    assert decoder(data)(tokens) == theirs.decode([vocab[token] for token in tokens])


@pytest.mark.parametrize(
    ("hexed", "text"),
    [("f09f98", "\ufffd" * 3), ("e4b841", "\ufffd" * 3), ("41e4b8", "\ufffd" * 3), ("e4bda0", "你")],
)
def test_byte_fallback_replaces_every_byte_of_a_broken_run(hexed, text):
    tokens = [f"<0x{byte:02X}>" for byte in bytes.fromhex(hexed)]
    assert decoder({"type": "ByteFallback"})(tokens) == text


# post-processing, truncation, padding


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ],
    "pair": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        {"Sequence": {"id": "B", "type_id": 1}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
    ],
    "special_tokens": {
        "[CLS]": {"id": "[CLS]", "ids": [256], "tokens": ["[CLS]"]},
        "[SEP]": {"id": "[SEP]", "ids": [257], "tokens": ["[SEP]"]},
    },
}
FRAME = [added("[CLS]", 256), added("[SEP]", 257), added("[PAD]", 258)]


@settings(max_examples=80)
@given(
    TEXTS,
    st.booleans(),
    st.sampled_from([None, TEMPLATE, {"type": "Sequence", "processors": [byte_level(), TEMPLATE]}]),
)
def test_templates(text, add_special_tokens, processor):
    data = document(tokens=FRAME, pre_tokenizer=byte_level(), post_processor=processor, decoder=byte_level())
    assert_equal(data, text, add_special_tokens)
    ours, theirs = both(data)
    mine, right = (
        ours.encoding(text, "b c", "special", add_special_tokens),
        theirs.encode(text, "b c", add_special_tokens=add_special_tokens),
    )
    assert (list(mine.ids), list(mine.type_ids)) == (right.ids, right.type_ids)


@settings(max_examples=120)
@given(
    st.lists(st.text(string.ascii_lowercase, max_size=12), min_size=1, max_size=3),
    st.integers(3, 9),
    st.sampled_from(["Left", "Right"]),
    st.sampled_from(["Left", "Right"]),
    st.sampled_from(["BatchLongest", {"Fixed": 11}]),
    st.sampled_from([None, 4]),
)
def test_truncation_and_padding(texts, size, cut, side, strategy, multiple):
    data = document(tokens=FRAME, pre_tokenizer=byte_level(), post_processor=TEMPLATE, decoder=byte_level())
    data["truncation"] = {"direction": cut, "max_length": size, "strategy": "LongestFirst", "stride": 0}
    data["padding"] = {
        "strategy": strategy,
        "direction": side,
        "pad_to_multiple_of": multiple,
        "pad_id": 258,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    ours, theirs = both(data)
    assert [list(e.ids) for e in ours.encodings(texts)] == [e.ids for e in theirs.encode_batch(texts)]
    assert list(ours.encoding(texts[0]).tokens) == theirs.encode(texts[0]).tokens


def test_padding_is_no_post_processing():
    data = document(tokens=FRAME, pre_tokenizer=byte_level(), post_processor=TEMPLATE)
    assert list(Pipeline(data).encoding("a").tokens) == ["[CLS]", "a", "[SEP]"]
    assert len(Pipeline(document(tokens=FRAME, post_processor=byte_level(trim=False))).encode("a")) == 1


# what is not known is refused by name


@pytest.mark.parametrize(
    ("stage", "data", "message"),
    [
        (
            "normalizer",
            {"type": "Precompiled", "precompiled_charsmap": ""},
            "normalizer: the type 'Precompiled'",
        ),
        ("normalizer", {"type": "NFC", "x": 1}, "normalizer: the field 'x'"),
        ("normalizer", {"type": "Sequence", "normalizers": [{"type": "Foo"}]}, "normalizer: the type 'Foo'"),
        ("normalizer", {"type": "Replace", "pattern": {"Glob": "*"}, "content": ""}, "neither"),
        ("pre_tokenizer", {"type": "UnicodeScripts"}, "pre_tokenizer: the type 'UnicodeScripts'"),
        (
            "pre_tokenizer",
            {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated"},
            "not a regular expression",
        ),
        (
            "pre_tokenizer",
            {"type": "Split", "pattern": {"String": "a"}, "behavior": "Sideways"},
            "behavior 'Sideways'",
        ),
        ("pre_tokenizer", {"type": "Metaspace", "prepend_scheme": "maybe"}, "prepend_scheme 'maybe'"),
        ("pre_tokenizer", "ByteLevel", "pre_tokenizer: not a JSON object: 'ByteLevel'"),
        ("decoder", {"type": "CTC"}, "decoder: the type 'CTC'"),
        ("post_processor", {"type": "BertProcessing"}, "post_processor: the type 'BertProcessing'"),
        ("post_processor", TEMPLATE | {"special_tokens": {}}, "'\\[CLS\\]' is not among"),
        ("post_processor", TEMPLATE, "the id 256 of '\\[CLS\\]' is not in the vocabulary"),
        ("surprise", {}, "tokenizer.json: the field 'surprise'"),
    ],
)
def test_unknown_components_are_refused(stage, data, message):
    with pytest.raises(ValueError, match=message):
        Pipeline(document() | {stage: data})


def test_a_foreign_pattern_has_a_time_limit(monkeypatch):
    monkeypatch.setattr("bpe_lessons.split.SECONDS", 0.05)
    data = {"type": "Split", "pattern": {"Regex": "(a|a?)+$"}, "behavior": "Isolated", "invert": False}
    with pytest.raises(ValueError, match="needs more than"):
        Pipeline(document(pre_tokenizer=data)).encode("a" * 40_000 + "b")


def test_trace_names_every_stage():
    data = document(
        tokens=FRAME,
        normalizer={"type": "NFC"},
        pre_tokenizer=byte_level(use_regex=True),
        post_processor=TEMPLATE,
        decoder=byte_level(),
    )
    trace = dict(Pipeline(data).trace("cafe\u0301 x"))
    assert list(trace) == ["text", "normalizer", "pre_tokenizer", "model", "post_processor", "ids", "decoder"]
    assert trace["normalizer"] == ["café x"]
    assert trace["pre_tokenizer"] == ["cafÃ©", "Ġx"]
    assert trace["decoder"] == "[CLS]café x[SEP]"
