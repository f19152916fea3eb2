"""The interfaces of other courses, on texts of our own; tiktoken and the slow oracle say what is right."""

import random
import tracemalloc
from functools import cache
from itertools import pairwise

import oracle
import pytest
import tiktoken
from adapters import BasicTokenizer, GPT4Tokenizer, RegexTokenizer, get_tokenizer, parts_of, run_train_bpe
from hypothesis import example, given, settings
from hypothesis import strategies as st
from texts import TEXTS

from bpe_lessons import Tokenizer, corpus, files, split, vocabularies

END = "<|endoftext|>"
SAMPLES = ["", "?", "hello world!!!? (안녕하세요!) lol123 😉", corpus.text("mixed")[:3000]]
samples = pytest.mark.parametrize("text", SAMPLES, ids=range(len(SAMPLES)))


def as_pairs(tokenizer):
    """The vocabulary and the merges of a Tokenizer in the form that CS336 hands out."""
    vocab = {id: tokenizer.vocabulary[id] for id in range(256 + len(tokenizer.merges))}
    return vocab, [(vocab[left], vocab[right]) for left, right in tokenizer.merges]


@cache
def gpt2(*special_tokens):
    """GPT-2 through the adapter, and tiktoken's: the special tokens beyond <|endoftext|> behind it."""
    published = vocabularies.load("gpt2")
    vocab, merges = as_pairs(published)
    ids = {token: 50256 + n for n, token in enumerate(dict.fromkeys([END, *special_tokens]))}
    reference = tiktoken.Encoding(
        "gpt2",
        pat_str=split.PATTERNS["gpt2"][0],
        mergeable_ranks={token: id for id, token in vocab.items()},
        special_tokens=ids,
    )
    return get_tokenizer(vocab | {50256: END.encode()}, merges, list(special_tokens)), reference


# CS336: training


@pytest.mark.parametrize("special", [[END], ["<|a|>", "<|a|>b"], []])
def test_training_is_the_oracles(tmp_path, special):
    text = f"low lower{END}lowest <|a|>b<|a|>widest\r\n低低 low{END}{END}" * 3 + corpus.text("mixed")[:600]
    path = tmp_path / "in.txt"
    path.write_bytes(text.encode())
    vocab, merges = run_train_bpe(path, 256 + 40 + len(special), special, num_processes=2)
    parts = [part for part in oracle.cut(text, special) if part not in special]
    rows, start = oracle.spell(oracle.counted([piece for part in parts for piece in oracle.gpt2(part)]))
    pairs, _, _, spellings = oracle.train(rows, start, 40, "greatest")
    assert merges == [(spellings[left], spellings[right]) for left, right in pairs]
    assert vocab == dict(enumerate([*spellings, *map(str.encode, special)]))
    assert get_tokenizer(vocab, merges, special).encode(text) == oracle.encode_text(
        text, pairs, "bytes", oracle.gpt2, {token: 296 + n for n, token in enumerate(special)}
    )


def test_special_tokens_are_no_part_of_the_training(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(f"aaaa{END}" * 50, encoding="utf-8")
    vocab, merges = run_train_bpe(path, 300, [END])
    assert merges == [(b"a", b"a"), (b"aa", b"aa")]  # and no more than there is to learn
    assert len(vocab) == 259 and vocab[258] == END.encode()
    for size in (256, 0):
        with pytest.raises(ValueError, match="floor of 257 = 256 bytes"):
            run_train_bpe(path, size, [END])


# CS336: the ids of a given vocabulary


@settings(max_examples=150)
@given(st.lists(st.one_of(TEXTS, st.sampled_from([END, "<|end", "oftext|>"])), max_size=5).map("".join))
def test_gpt2_as_tiktoken_encodes_it(text):
    plain, reference = gpt2()
    assert plain.encode(text) == reference.encode_ordinary(text)
    special, reference = gpt2(END)
    ids = special.encode(text)
    assert ids == reference.encode(text, allowed_special={END})
    assert special.decode(ids) == plain.decode(plain.encode(text)) == text
    assert [special.decode([id]) for id in ids].count(END) == text.count(END)


def test_ids_follow_the_vocabulary():
    trained = Tokenizer.train(corpus.text("mixed")[:3000], merges=60, pattern="gpt2", alphabet="glyphs")
    vocab, merges = as_pairs(trained)
    places = random.Random(3).sample(range(9, 5000), len(vocab) + 1)
    moved = dict(zip(places, [END.encode(), *vocab.values()]))
    tokenizer = get_tokenizer(moved, merges, ["<|new|>", END])
    text = corpus.text("mixed")[2000:5000]
    ids = tokenizer.encode(f"{text}{END}<|new|>")
    assert ids[-2:] == [places[0], max(places) + 1]
    assert ids[:-2] == [places[1 + id] for id in trained.encode(text)]
    assert tokenizer.decode(ids) == f"{text}{END}<|new|>"
    assert len(moved) == len(vocab) + 1  # the given vocabulary is not changed


def test_a_vocabulary_of_few_bytes():
    vocab = dict(enumerate([b"t", b"e", b"a", b" ", b"te", b" te", b"tea"]))
    tokenizer = get_tokenizer(vocab, [(b"t", b"e"), (b" ", b"te"), (b"te", b"a")])
    assert tokenizer.encode("tea tea te") == [6, 5, 2, 5]
    assert tokenizer.decode([6, 5, 2, 5]) == "tea tea te"
    with pytest.raises(KeyError):
        tokenizer.encode("tex")
    with pytest.raises(KeyError):
        get_tokenizer(vocab, [(b"no", b"pe")])


def test_broken_bytes_are_replaced():
    tokenizer, reference = gpt2()
    for ids in (reference.encode("🙃")[:-1], reference.encode("低")[1:]):
        assert tokenizer.decode(ids) == reference.decode(ids) and "\ufffd" in tokenizer.decode(ids)


def test_overlapping_special_tokens():
    tokenizer, _ = gpt2(END, END + END)
    ids = tokenizer.encode(f"one{END}{END} two{END}")
    assert [tokenizer.decode([id]) for id in ids] == ["one", END + END, " two", END]
    assert ids[1] == 50257 and ids[-1] == 50256


# CS336: streams


def chunks(text, sizes):
    places = [0]
    for size in sizes:
        places.append(min(len(text), places[-1] + size))
    return [text[a:b] for a, b in pairwise([*places, len(text)])]


@settings(max_examples=200)
@given(
    st.lists(st.one_of(TEXTS, st.sampled_from([END, END + END, "<|endof", " word "])), max_size=6).map(
        "".join
    ),
    st.lists(st.integers(0, 8), max_size=40),
)
@example(f"a{END}", [2] * 9)
@example(f"{END}{END}{END}<", [1] * 40)
def test_chunks_cut_anywhere(text, sizes):
    for special in ((), (END,), (END, END + END)):
        tokenizer, _ = gpt2(*special)
        assert list(tokenizer.encode_iterable(iter(chunks(text, sizes)))) == tokenizer.encode(text)


@settings(max_examples=500)
@given(
    st.text("abc", max_size=14),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=4, unique=True),
    st.lists(st.integers(0, 3), max_size=14),
)
@example("xxabc", ["ab", "xabcd"], [1] * 5)
def test_special_tokens_are_found_across_chunks(text, tokens, sizes):
    """Joined where no special token stands between, the parts are those of the whole text."""
    merged = []
    for part in parts_of(iter(chunks(text, sizes)), tokens):
        if merged and part not in tokens and merged[-1] not in tokens:
            merged[-1] += part
        elif part:
            merged.append(part)
    assert merged == oracle.cut(text, tokens)


def test_a_stream_is_read_as_it_is_encoded():
    def lines():
        yield f"the first{END} line\n"
        yield "the second "
        raise ZeroDivisionError

    tokenizer, reference = gpt2(END)
    ids = tokenizer.encode_iterable(lines())
    assert [next(ids) for _ in range(4)] == reference.encode(f"the first{END} line", allowed_special="all")
    with pytest.raises(ZeroDivisionError):
        list(ids)


def words_never_seen():
    return (f"word{n:x} " for n in range(12_000))


def a_book():
    lines = (corpus.text("english")[:25_000] + END).splitlines(keepends=True)
    return (line for _ in range(50) for line in lines)


@pytest.mark.parametrize("stream", [a_book, words_never_seen])
def test_memory_does_not_grow_with_the_stream(stream):
    tokenizer, _ = gpt2(END)
    list(tokenizer.encode_iterable(["begin "]))
    tracemalloc.start()
    for _ in tokenizer.encode_iterable(stream()):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 700_000


# minbpe


@samples
@pytest.mark.parametrize("kind", [BasicTokenizer, RegexTokenizer, GPT4Tokenizer])
def test_untrained_round_trip(kind, text):
    tokenizer = kind()
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    if kind is not GPT4Tokenizer:
        assert ids == list(text.encode())


@pytest.mark.parametrize("kind", [BasicTokenizer, RegexTokenizer])
def test_the_example_of_wikipedia(kind, capsys):
    tokenizer = kind()
    tokenizer.train("aaabdaaabac", 259)
    assert tokenizer.encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    assert tokenizer.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"
    assert tokenizer.merges == {(97, 97): 256, (256, 97): 257, (257, 98): 258}
    assert tokenizer.vocab[258] == b"aaab" and len(tokenizer.vocab) == 259
    assert capsys.readouterr().out == ""
    tokenizer.train("aaabdaaabac", 258, verbose=True)
    assert len(capsys.readouterr().out.splitlines()) == 2


@settings(max_examples=80)
@given(st.one_of(TEXTS, st.text("ab 低底", max_size=40)), st.integers(0, 12))
def test_training_takes_the_pair_seen_first(text, rounds):
    for tokenizer, pieces in (
        (BasicTokenizer(), [text] if text else []),
        (RegexTokenizer(), oracle.gpt4(text)),
    ):
        tokenizer.train(text, 256 + rounds)
        pairs, *_ = oracle.train(*oracle.spell(oracle.counted(pieces)), rounds, "first")
        assert tokenizer.merges == {pair: 256 + rank for rank, pair in enumerate(pairs)}


def test_a_pattern_of_ones_own():
    tokenizer = RegexTokenizer(r"\d|\D+")
    tokenizer.train("12 12 12 ab", 300)
    assert tokenizer.encode("12 12") == [49, 50, 32, 49, 50] and tokenizer.pattern == r"\d|\D+"


SPECIAL = {"<|end|>": 1000, "<|end|>!": 1002, "<|pad|>": 1001}


def test_policies():
    tokenizer = RegexTokenizer()
    tokenizer.train("low low lowest", 260)
    tokenizer.register_special_tokens(SPECIAL)
    text = "low<|end|>!<|pad|>"
    plain = tokenizer.encode(text, "none")
    assert max(plain) < 260 and tokenizer.decode(plain) == text
    assert tokenizer.encode(text, "all") == [257, 1002, 1001]
    assert tokenizer.encode(text, {"<|end|>", "<|other|>"}) == [
        257,
        1000,
        33,
        *tokenizer.encode("<|pad|>", "none"),
    ]
    assert tokenizer.encode(text, set()) == plain
    assert tokenizer.encode("low", "none_raise") == [257]
    for bad in ({}, {"allowed_special": "none_raise"}, {"allowed_special": "some"}):
        with pytest.raises(ValueError, match="special"):
            tokenizer.encode(text, **bad)
    tokenizer.train("low low", 258)
    assert tokenizer.special_tokens == SPECIAL and tokenizer.decode([257, 1001]) == "low<|pad|>"
    basic = BasicTokenizer()
    basic.register_special_tokens(SPECIAL)
    assert basic.encode("<|end|>") == list(b"<|end|>") and basic.decode([1000]) == "<|end|>"


@samples
def test_gpt4_as_tiktoken_encodes_it(text):
    ours, reference = GPT4Tokenizer(), gpt4()
    assert ours.encode(text) == reference.encode(text)
    assert ours.decode(reference.encode(text)) == text
    marked = f"<|endoftext|>{text}<|fim_prefix|>x<|fim_suffix|><|fim_middle|>{text}<|endofprompt|>"
    assert ours.encode(marked, allowed_special="all") == reference.encode(marked, allowed_special="all")
    assert ours.encode(marked, "none") == reference.encode_ordinary(marked)
    one = {"<|fim_prefix|>"}
    assert ours.encode(marked, one) == reference.encode(marked, allowed_special=one, disallowed_special=())
    with pytest.raises(ValueError, match="special token"):
        ours.encode(marked)


@cache
def gpt4():
    published = vocabularies.load("cl100k_base")
    ranks = files.parse_ranks(vocabularies.find("cl100k_base"))
    (expression,) = split.PATTERNS["gpt4"]
    special = {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    }
    assert published.special_ids == special
    return tiktoken.Encoding("gpt4", pat_str=expression, mergeable_ranks=ranks, special_tokens=special)


def test_gpt4_is_what_it_is(tmp_path):
    tokenizer = GPT4Tokenizer()
    for use in (lambda: tokenizer.train("a", 300), lambda: tokenizer.save("x"), lambda: tokenizer.load("x")):
        with pytest.raises(NotImplementedError):
            use()


@pytest.mark.parametrize("special", [{}, SPECIAL])
@pytest.mark.parametrize("kind", [BasicTokenizer, RegexTokenizer])
def test_save_and_load(kind, special, tmp_path):
    text = corpus.text("mixed")[:2000] + "<|end|>!\x07\r\n"
    tokenizer = kind()
    tokenizer.train(text, 256 + 40)
    tokenizer.register_special_tokens(special)
    how = () if kind is BasicTokenizer else ("all",)
    ids = tokenizer.encode(text, *how)
    for _ in range(2):  # the second time over the files of the first
        tokenizer.save(str(tmp_path / "small"))
    again = kind()
    again.load(str(tmp_path / "small.model"))
    assert again.encode(text, *how) == ids and again.decode(ids) == text
    assert (again.merges, again.vocab, again.special_tokens) == (
        tokenizer.merges,
        tokenizer.vocab,
        tokenizer.special_tokens,
    )
    model = (tmp_path / "small.model").read_text(encoding="utf-8").split("\n")
    assert (model[0], model[2]) == ("minbpe v1", str(len(special)))
    assert model[3 : 3 + len(special)] == [f"{token} {id}" for token, id in special.items()]
    assert model[3 + len(special) : -1] == [f"{left} {right}" for left, right in tokenizer.merges]


def test_the_listing_of_a_vocabulary(tmp_path):
    tokenizer = BasicTokenizer()
    tokenizer.train("a\na\n低低", 258)
    tokenizer.register_special_tokens({"<|end|>": 300})
    tokenizer.save(str(tmp_path / "small"))
    lines = (tmp_path / "small.vocab").read_text(encoding="utf-8").split("\n")
    assert len(lines) == 256 + 2 + 1 + 1 and lines[-1] == ""
    assert lines[97] == "[a] 97" and lines[10] == r"[\u000a] 10" and lines[255] == "[\ufffd] 255"
    assert lines[256:-1] == [
        r"[a][\u000a] -> [a\u000a] 256",
        "[\ufffd][\ufffd] -> [\ufffd] 257",
        "[<|end|>] 300",
    ]
