"""The exercises of lesson 03: right answers pass, classic mistakes are named, shortcuts fail."""

import pytest

from bpe_lessons import check
from bpe_lessons.lesson import merge

IDS = ["03-1", "03-2", "03-3", "03-4", "03-5"]


def test_a_text_for_a_list_is_named():
    assert "A list is asked for, not a str." in check("03-1", "low l i n es s").text


# Right answers, written in another way than the solutions.


def word_by_rank(word, rules):
    symbols = list(word)
    while True:
        places = [(rules.index(pair), i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in rules]
        if not places:
            return symbols
        _, i = min(places)
        symbols = [*symbols[:i], symbols[i] + symbols[i + 1], *symbols[i + 2 :]]


def ids_by_stretches(ids, vocabulary):
    text, stretch = "", b""
    for id in ids:
        if id in vocabulary:
            stretch += vocabulary[id]
        else:
            text += stretch.decode("utf-8", errors="replace") + "\ufffd"
            stretch = b""
    return text + stretch.decode("utf-8", errors="replace")


def waiting_by_trying(data):
    for count in range(4):
        try:
            data[: len(data) - count].decode()
            return count
        except UnicodeDecodeError:
            pass
    return None


def with_first_by_loop(ids, rules, k):
    for rank, (pair, new_id) in enumerate(rules.items()):
        if rank == k:
            break
        ids = merge(ids, pair, new_id)
    return tuple(ids)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("03-1", ("low", "l", "i", "n", "es", "s")),
        ("03-2", word_by_rank),
        ("03-3", ids_by_stretches),
        ("03-4", waiting_by_trying),
        ("03-5", with_first_by_loop),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def from_the_left(word, rules):
    done, rest = [], list(word)
    while rest:
        symbol = rest.pop(0)
        while rest and (symbol, rest[0]) in rules:
            symbol += rest.pop(0)
        done.append(symbol)
    return done


def leftmost_again_and_again(word, rules):
    symbols = list(word)
    again = True
    while again:
        again = False
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) in rules:
                symbols[i] += symbols.pop(i + 1)
                again = True
                break
    return symbols


def longest_token(word, rules):
    known = {a + b for a, b in rules}
    out, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start + 1 and word[start:end] not in known:
            end -= 1
        out.append(word[start:end])
        start = end
    return out


def rules_from_the_end(word, rules):
    symbols = list(word)
    for pair in reversed(rules):
        i = 0
        while i < len(symbols) - 1:
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
            i += 1
    return symbols


def one_place_a_rule(word, rules):
    symbols = list(word)
    for pair in rules:
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i : i + 2] = ["".join(pair)]
                break
    return symbols


def all_but_the_last(word, rules):
    symbols = list(word)
    for pair in rules:
        kept, skip = [], False
        for place in range(1, len(symbols)):
            here = (symbols[place - 1], symbols[place])
            if not skip:
                kept.append("".join(pair) if here == pair else here[0])
            skip = not skip and here == pair
        symbols = kept
    return symbols


def text_replaced(word, rules):
    text = " ".join(word)
    for pair in rules:
        text = "".join(pair).join(text.split(" ".join(pair)))
    return [symbol for symbol in text.split(" ") if symbol]


def each_alone(ids, vocabulary):
    return "".join(vocabulary[id].decode(errors="replace") if id in vocabulary else "\ufffd" for id in ids)


def each_in_a_try(ids, vocabulary):
    text = ""
    for id in ids:
        try:
            text += str(vocabulary[id], "utf-8")
        except (KeyError, ValueError):
            text += "\ufffd"
    return text


def bad_bytes_ignored(ids, vocabulary):
    return b"".join(vocabulary.get(id, b"\xff") for id in ids).decode(errors="ignore")


def as_latin(ids, vocabulary):
    return b"".join(vocabulary.get(id, b"\xff") for id in ids).decode("latin-1")


def known_only(ids, vocabulary):
    return b"".join(vocabulary[id] for id in ids if id in vocabulary).decode(errors="replace")


def no_get(ids, vocabulary):
    return b"".join(vocabulary[id] for id in ids).decode(errors="replace")


def trailing_tail_bytes(data):
    count = 0
    while count < len(data) and data[-1 - count] >> 6 == 0b10:
        count += 1
    return count


def back_to_the_lead(data):
    for count in range(1, len(data) + 1):
        if data[-count] < 128:
            return 0
        if data[-count] >> 6 == 0b11:
            return count
    return 0


def tail_of_unfinished(data):
    waiting = waiting_by_trying(data)
    return waiting - 1 if waiting else 0


def still_to_come(data):
    waiting = waiting_by_trying(data)
    if not waiting:
        return 0
    lead = data[-waiting]
    return (4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2) - waiting


def stop_after_k_merges(ids, rules, k):
    done = 0
    while done < k:
        pairs = sorted((rules[pair], pair) for pair in zip(ids, ids[1:]) if pair in rules)
        if not pairs:
            return ids
        ids = merge(ids, pairs[0][1], pairs[0][0])
        done += 1
    return ids


def up_to_rank_k(ids, rules, k):
    for rank, pair in enumerate(rules):
        if rank <= k:
            ids = merge(ids, pair, rules[pair])
    return ids


def newest_k(ids, rules, k):
    for rank, pair in enumerate(rules):
        if rank >= len(rules) - k:
            ids = merge(ids, pair, rules[pair])
    return ids


def any_k(ids, rules, k):
    for pair, new_id in rules.items():
        ids = merge(ids, pair, new_id)
    return ids


def ids_under_k(ids, rules, k):
    for pair, id in rules.items():
        if id < k:
            ids = merge(ids, pair, id)
    return ids


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("03-1", ["low", "l", "i", "ne", "s", "s"], "longest match"),
        ("03-1", ["lo", "w", "l", "i", "ne", "s", "s"], "the rules in reverse order"),
        ("03-1", ["low", "l", "i", "n", "ess"], "a rule that does not exist"),
        ("03-1", list("lowlin") + ["es", "s"], "stopping at the first rule that does not fit"),
        ("03-2", from_the_left, "greedy from the left"),
        ("03-2", leftmost_again_and_again, "greedy from the left"),
        ("03-2", longest_token, "longest match"),
        ("03-2", rules_from_the_end, "the rules in reverse order"),
        ("03-2", one_place_a_rule, "each rule at its first place only"),
        ("03-2", all_but_the_last, "the last symbol lost"),
        ("03-2", text_replaced, "unanchored string replace"),
        ("03-3", each_alone, "each token decoded alone"),
        ("03-3", each_in_a_try, "a try round each token"),
        ("03-3", bad_bytes_ignored, "bad bytes left out"),
        ("03-3", as_latin, "Latin-1"),
        ("03-3", known_only, "an unknown id left out"),
        ("03-3", no_get, "an unknown id that stops it"),
        ("03-4", trailing_tail_bytes, "all continuation bytes at the end"),
        ("03-4", back_to_the_lead, "a finished character counted too"),
        ("03-4", tail_of_unfinished, "the lead byte not counted"),
        ("03-4", still_to_come, "the bytes still missing"),
        ("03-5", stop_after_k_merges, "k rounds instead of k rules"),
        ("03-5", any_k, "k ignored"),
        ("03-5", up_to_rank_k, "one rule too many"),
        ("03-5", newest_k, "the last k rules"),
        ("03-5", ids_under_k, "an id taken for a rank"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
