"""Lesson 02: right answers pass, classic mistakes are named."""

import re
from collections import Counter
from itertools import groupby

import pytest

from bpe_lessons import check


def second_pair_counts(words):
    pairs = {word[i : i + 2] for word in words for i in range(len(word) - 1)}
    return {
        tuple(pair): sum(n * len(re.findall(f"(?={pair})", word)) for word, n in words.items())
        for pair in pairs
    }


def second_merge_symbols(symbols, left, right):
    done = []
    for symbol in symbols:
        if done and done[-1] == (left, True) and symbol == right:
            done[-1] = (left + right, False)
        else:
            done.append((symbol, True))
    return [symbol for symbol, _ in done]


def second_merges_for(vocab_size, special_tokens):
    if vocab_size - special_tokens not in range(256, 10**9):
        raise ValueError
    return len(range(256 + special_tokens, vocab_size))


def second_merge_all(corpus, left, right):
    rows = sorted((tuple(second_merge_symbols(row, left, right)), n) for row, n in corpus.items())
    return {row: sum(n for _, n in same) for row, same in groupby(rows, key=lambda item: item[0])}


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("02-1", 9.0),
        ("02-2", second_pair_counts),
        ("02-3", second_merge_symbols),
        ("02-4", second_merges_for),
        ("02-5", second_merge_all),
    ],
)
def test_second_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


def once_a_word(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 1):
            key = (word[i], word[i + 1])
            counts[key] = counts.get(key, 0) + 1
    return counts


def assigns(words):
    counts = {}
    for word, n in words.items():
        for i in range(len(word) - 1):
            counts[word[i], word[i + 1]] = n
    return counts


def across(words):
    text = ""
    for word, n in words.items():
        for _ in range(n):
            text += word
    counts = {}
    for a, b in zip(text, text[1:]):
        counts[a, b] = counts.get((a, b), 0) + 1
    return counts


def apart(words):
    counts = {}
    for word, n in words.items():
        last = {}
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            if last.get(pair) != i - 1:
                counts[pair] = counts.get(pair, 0) + n
                last[pair] = i
    return counts


def no_first_time(words):
    counts = {}
    for word, n in words.items():
        for i in range(1, len(word)):
            counts[word[i - 1], word[i]] += n
    return counts


def by_set(words):
    counts = {}
    for word, n in words.items():
        for pair in {(word[i - 1], word[i]) for i in range(1, len(word))}:
            counts[pair] = n + counts.get(pair, 0)
    return counts


def up_to_the_last(symbols, left, right):
    result, used = [], False
    for a, b in zip(symbols, symbols[1:]):
        if used:
            used = False
        else:
            used = (a, b) == (left, right)
            result.append(a + b if used else a)
    return result


def in_text(symbols, left, right):
    text = " ".join(symbols)
    return re.sub(re.escape(left + " " + right), left + right, text).split()


def backwards(symbols, left, right):
    symbols, i = list(symbols), len(symbols) - 2
    while i >= 0:
        if symbols[i] == left and symbols[i + 1] == right:
            symbols[i : i + 2] = [left + right]
            i -= 1
        i -= 1
    return symbols


def once(symbols, left, right):
    symbols = list(symbols)
    for i, pair in enumerate(zip(symbols, symbols[1:])):
        if pair == (left, right):
            symbols[i : i + 2] = [left + right]
            break
    return symbols


def no_step(symbols, left, right):
    following = [*symbols[1:], None]
    return [a + b if (a, b) == (left, right) else a for a, b in zip(symbols, following)]


def overwrites(corpus, left, right):
    merged = {}
    for row, n in corpus.items():
        merged[tuple(second_merge_symbols(row, left, right))] = n
    return merged


def rows_in_text(corpus, left, right):
    merged = Counter()
    for row, n in corpus.items():
        merged[tuple(in_text(row, left, right))] += n
    return dict(merged)


def byte_floor(vocab_size, special_tokens):
    if vocab_size < 256:
        raise ValueError
    return vocab_size - 256 - special_tokens


def floor(answer):
    """The answer, with a ValueError below the floor."""

    def floored(vocab_size, special_tokens):
        merges = answer(vocab_size, special_tokens)
        if merges < 0:
            raise ValueError
        return merges

    return floored


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("02-1", 2, "counting words once"),
        ("02-1", 6, "looking at newest alone"),
        ("02-1", 3, "looking at widest alone"),
        ("02-2", once_a_word, "counting each word once"),
        ("02-2", assigns, "overwritten counts"),
        ("02-2", across, "pairs across words"),
        ("02-2", apart, "non-overlapping counts"),
        ("02-2", no_first_time, "adding to nothing"),
        ("02-2", by_set, "counting a pair once a word"),
        ("02-3", in_text, "unanchored string replace"),
        ("02-3", backwards, "merging from the right"),
        ("02-3", once, "stopping after the first"),
        ("02-3", no_step, "using a symbol twice"),
        ("02-3", up_to_the_last, "the last symbol lost"),
        ("02-4", lambda size, special: size - 256 - special, "no floor"),
        ("02-4", byte_floor, "a floor without the special tokens"),
        ("02-4", floor(lambda size, special: size - 256), "forgotten special tokens"),
        ("02-4", floor(lambda size, special: size - 255 - special), "off by one"),
        ("02-4", lambda size, special: size, "taking the size for the merges"),
        ("02-5", overwrites, "overwritten counts"),
        ("02-5", rows_in_text, "unanchored string replace"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text
