"""The exercises of lesson 13: right answers pass, classic mistakes are named, shortcuts fail."""

import json
import random

import pytest
import tokenizers

from bpe_lessons import check, solutions
from bpe_lessons.exercises import find
from bpe_lessons.exercises.lesson13 import LISTINGS, fresh_merges, fresh_template, processor

IDS = ["13-1", "13-2", "13-3", "13-4", "13-5"]


def test_a_text_for_a_list_is_named():
    assert "A list is asked for, not a str." in check("13-1", "-x - -y -").text
    assert "A list is asked for, not a str." in check("13-2", LISTINGS[0]).text


# The judges are the library's own.


def test_the_judge_of_13_1_is_the_library():
    split = tokenizers.pre_tokenizers.Split("-", "merged_with_next")
    assert find("13-1").right == [piece for piece, _ in split.pre_tokenize_str("-x--y-")]


def test_the_judge_of_13_3_is_the_library():
    source = random.Random(13)
    cases = [*find("13-3").cases, *(fresh_merges(source) for _ in range(300))]
    for vocab, merges, word in cases:
        file = {"version": "1.0", "model": {"type": "BPE", "vocab": vocab, "merges": merges}}
        theirs = tokenizers.Tokenizer.from_str(json.dumps(file)).encode(word).ids
        assert find("13-3").right(vocab, merges, word) == theirs


def test_the_judge_of_13_4_is_the_library():
    source = random.Random(13)
    names = [chr(ord("a") + id) for id in range(20)]
    cases = [*find("13-4").cases, *(fresh_template(source) for _ in range(50))]
    for ids, template in cases:
        file = {
            "version": "1.0",
            "post_processor": template
            | {"pair": [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"]},
            "model": {"type": "BPE", "vocab": {name: id for id, name in enumerate(names)}, "merges": []},
        }
        text = "".join(names[id] for id in ids)
        theirs = tokenizers.Tokenizer.from_str(json.dumps(file)).encode(text).ids
        assert find("13-4").right(ids, template) == theirs


def test_the_judge_of_13_5_is_the_library():
    vocab = {token: id for id, token in enumerate(["t", "h", "e", "m", "he", "the", "them", "em"])}
    merges = [["h", "e"], ["t", "he"], ["e", "m"]]
    results = []
    for word, whole in (("them", False), ("them", True), ("theme", True)):
        model = {"type": "BPE", "vocab": vocab, "merges": merges, "ignore_merges": whole}
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps({"version": "1.0", "model": model}))
        results.append(tokenizer.encode(word).ids)
    assert find("13-5").right == results


def test_the_listings_load_in_the_library():
    for listing in (*LISTINGS, *solutions.answer_13_2):
        tokenizers.Tokenizer.from_str(json.dumps({"version": "1.0"} | json.loads(listing)))


# Right answers, written in another way than the solutions.


def ids_all_places_at_once(vocab, merges, word):
    places = {}
    for pair in merges:
        places.pop(pair, None)
        places[pair] = len(places) and max(places.values()) + 1
    symbols = tuple(word)
    while True:
        ranked = sorted((places[pair], pair) for pair in zip(symbols, symbols[1:]) if pair in places)
        if not ranked:
            return tuple(map(vocab.get, symbols))
        left, right = ranked[0][1]
        done, skip = [], False
        for i, symbol in enumerate(symbols):
            if skip:
                skip = False
            elif symbol == left and symbols[i + 1 : i + 2] == (right,):
                done.append(left + right)
                skip = True
            else:
                done.append(symbol)
        symbols = tuple(done)


def around_by_comprehension(ids, processor):
    table = {name: token["ids"] for name, token in processor["special_tokens"].items()}
    parts = (
        table[item["SpecialToken"]["id"]] if "SpecialToken" in item else ids for item in processor["single"]
    )
    return [id for part in parts for id in part]


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("13-1", ("-x", "-", "-y", "-")),
        ("13-2", tuple(json.dumps(json.loads(text), indent=3) for text in LISTINGS)),
        ("13-3", ids_all_places_at_once),
        ("13-4", around_by_comprehension),
        ("13-5", ((5, 3), (6,), (5, 3, 2))),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.

FIRST, SECOND, THIRD = LISTINGS


def lowest_id_first(vocab, merges, word):
    symbols = list(word)
    while True:
        found = []
        for i in range(len(symbols) - 1):
            if tuple(symbols[i : i + 2]) in merges:
                found.append((vocab["".join(symbols[i : i + 2])], i))
        if not found:
            return [vocab[symbol] for symbol in symbols]
        i = min(found)[1]
        symbols = [*symbols[:i], "".join(symbols[i : i + 2]), *symbols[i + 2 :]]


def lowest_id_of_any_token(vocab, merges, word):
    names = {id: token for token, id in vocab.items()}
    ids = [vocab[character] for character in word]
    while True:
        joins = [vocab.get(names[left] + names[right], len(vocab)) for left, right in zip(ids, ids[1:])]
        if not joins or min(joins) == len(vocab):
            return ids
        i = joins.index(min(joins))
        ids[i : i + 2] = [joins[i]]


def longest_token(vocab, merges, word):
    ids, start = [], 0
    while start < len(word):
        end = len(word)
        while word[start:end] not in vocab:
            end -= 1
        ids.append(vocab[word[start:end]])
        start = end
    return ids


def index_of_pair(vocab, merges, word):
    symbols = list(word)
    while True:
        pairs = list(zip(symbols, symbols[1:]))
        best = min((pair for pair in pairs if pair in merges), key=merges.index, default=None)
        if best is None:
            return [vocab[symbol] for symbol in symbols]
        i = pairs.index(best)
        symbols[i : i + 2] = ["".join(best)]


def in_order_once(vocab, merges, word):
    symbols = list(word)
    for pair in merges:
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
            i += 1
    return [vocab[symbol] for symbol in symbols]


def highest_rank_first(vocab, merges, word):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        found = [(-ranks[pair], i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in ranks]
        if not found:
            return [vocab[symbol] for symbol in symbols]
        i = min(found)[1]
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


def first_pair_that_fits(vocab, merges, word):
    symbols = list(word)
    i = 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in merges:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0
        else:
            i += 1
    return [vocab[symbol] for symbol in symbols]


def names_of_tokens(vocab, merges, word):
    names = {id: token for token, id in vocab.items()}
    return [names[id] for id in solutions.answer_13_3(vocab, merges, word)]


def one_id_each(ids, processor):
    out = []
    for item in processor["single"]:
        if "Sequence" in item:
            out.extend(ids)
        else:
            out.append(processor["special_tokens"][item["SpecialToken"]["id"]]["ids"][0])
    return out


def with_type_id(ids, processor):
    out = []
    for item in processor["single"]:
        out += [item["SpecialToken"]["type_id"]] if "SpecialToken" in item else ids
    return out


def appended_text(ids, processor):
    out = []
    for item in processor["single"]:
        if "Sequence" in item:
            out.append(ids)
        else:
            out.extend(processor["special_tokens"][item["SpecialToken"]["id"]]["ids"])
    return out


def appended_tokens(ids, processor):
    out = []
    for item in processor["single"]:
        if "Sequence" in item:
            out.extend(ids)
        else:
            out.append(processor["special_tokens"][item["SpecialToken"]["id"]]["ids"])
    return out


def specials_then_text(ids, processor):
    out = []
    for item in processor["single"]:
        if "SpecialToken" in item:
            out += processor["special_tokens"][item["SpecialToken"]["id"]]["ids"]
    return out + ids


def always_bert(ids, processor):
    table = processor["special_tokens"]
    return table["[CLS]"]["ids"] + ids + table["[SEP]"]["ids"]


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("13-1", ["x", "y"], "Removed"),
        ("13-1", ["-", "x", "-", "-", "y", "-"], "Isolated"),
        ("13-1", ["-", "x-", "-", "y-"], "MergedWithPrevious"),
        ("13-1", ["-", "x", "--", "y", "-"], "Contiguous"),
        ("13-1", ["-x", "--y", "-"], "a whole run joined to the next piece"),
        ("13-1", ["-x", "-", "-y"], "the last match lost"),
        ("13-2", [json.loads(text) for text in LISTINGS], "Python values for JSON text"),
        ("13-2", [FIRST.replace(", ", ", // joins accents\n", 1), SECOND, THIRD], "a comment left in"),
        ("13-2", [FIRST, SECOND.replace(": 2}", ": 2, ...}"), THIRD], "three dots left in"),
        ("13-2", [FIRST, SECOND.replace("]", ",\n ]"), THIRD], "a comma before a bracket"),
        ("13-2", [FIRST.replace('"', "'"), SECOND, THIRD], "single quotes"),
        ("13-2", [FIRST, SECOND, THIRD.replace(', "th": 2', "")], "a token still out of vocabulary"),
        ("13-2", [FIRST, SECOND, THIRD.replace('"th": 2', '"th": 3')], "another id for th"),
        (
            "13-2",
            [FIRST, SECOND, THIRD.replace('"t h"', "").replace(', "th": 2', "")],
            "a merge taken out",
        ),
        ("13-3", lowest_id_first, "ids taken for ranks"),
        ("13-3", lowest_id_of_any_token, "ids taken for ranks"),
        ("13-3", longest_token, "longest match"),
        ("13-3", index_of_pair, "the first of two equal pairs"),
        ("13-3", in_order_once, "each rule once, in the order of the list"),
        ("13-3", highest_rank_first, "the merges in reverse"),
        ("13-3", first_pair_that_fits, "greedy from the left"),
        ("13-3", names_of_tokens, "tokens instead of ids"),
        ("13-4", one_id_each, "only the first of several ids"),
        ("13-4", with_type_id, "the type_id taken for the id"),
        ("13-4", appended_text, "a list inside the list"),
        ("13-4", appended_tokens, "a list inside the list"),
        ("13-4", specials_then_text, "all special tokens in front"),
        ("13-4", always_bert, "the template not read"),
        ("13-5", [[6], [6], [5, 3, 2]], "looking up whole pieces always"),
        ("13-5", [[5, 3], [6], [6, 2]], "longest match"),
        ("13-5", [[5, 3], [0, 1, 2, 3], [0, 1, 2, 3, 2]], "no merges at all"),
        ("13-5", [[6], [5, 3], [5, 3, 2]], "the flag the other way round"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report


def test_no_special_token_of_a_template_is_unknown():
    assert set(processor("CLS A", CLS=[8])["special_tokens"]) == {"[CLS]"}
