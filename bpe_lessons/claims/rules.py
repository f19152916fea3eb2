"""Statements on the rules of an encoder: their order, and how they cut words of the toy corpora."""

import re
from random import Random
from typing import Any

from bpe_lessons import corpus, lesson, split, vocabularies
from bpe_lessons.lesson import Pair, Vocabulary
from bpe_lessons.show import readable, row_of
from bpe_lessons.walkthrough import Rules

TEACHER = ("c h", "e r", "t e", "te a", "ch er", "tea cher")


def trained(form: str, steps: int, name: str = "walkthrough") -> tuple[dict[Pair, int], Vocabulary]:
    """The rules and the vocabulary that a toy corpus gives."""
    taken, vocabulary = Rules(form).run(corpus.words(name), steps)
    return {step.pair: step.new_id for step in taken}, vocabulary


def toy_cut(word: str, rules: dict[Pair, int], vocabulary: Vocabulary) -> str:
    """A word cut by rules in the order given. A character without an id stays as it is, between the parts."""
    ids = {token: id for id, token in reversed(vocabulary.items())}
    parts = re.split("([^" + re.escape("".join(t.decode() for t in ids if len(t) == 1)) + "])", word)
    cut = []
    for part in filter(None, parts):
        if all(character.encode() in ids for character in part):
            row = lesson.encode_in_order([ids[character.encode()] for character in part], rules)
            cut.append(row_of(row, vocabulary))
        else:
            cut.append(part)
    return " ".join(cut)


def by_rules(word: str, joins: tuple[str, ...] = TEACHER) -> list[str]:
    """The word before any rule and after each, by rules written in letters."""
    rows, start = lesson.spell({word: 1, "".join(joins).replace(" ", ""): 1}, "characters")
    ids, vocabulary = rows[0][0], dict(start)
    states = [row_of(ids, vocabulary)]
    for join in joins:
        names = {token.decode(): id for id, token in vocabulary.items()}
        left, right = join.split()
        vocabulary[len(vocabulary)] = (left + right).encode()
        ids = lesson.encode_in_order(ids, {(names[left], names[right]): len(vocabulary) - 1})
        states.append(row_of(ids, vocabulary))
    return states


def claim_000_14() -> list[str]:
    """The word teacher before any rule and after each of the six."""
    return by_rules("teacher")


def claim_000_15() -> dict[str, str]:
    """The word term, with either of two rules first."""
    return {
        "te first": by_rules("term", ("t e", "e r"))[-1],
        "er first": by_rules("term", ("e r", "t e"))[-1],
    }


def claim_000_17() -> str:
    """The word researcher after the six rules."""
    return by_rules("researcher")[-1]


def in_both_orders(*words: str) -> dict[str, list[str]]:
    """Words cut by the rules of the small corpus in order and in reverse."""
    rules, vocabulary = trained("plain", 20)
    orders = (rules, dict(reversed(rules.items())))
    return {word: [toy_cut(word, order, vocabulary) for order in orders] for word in words}


def claim_000_16() -> dict[str, list[str]]:
    """The word newest by the rules of the small corpus, in order and in reverse."""
    return in_both_orders("newest")


def claim_000_24() -> dict[str, int]:
    """Random trainings and texts: how many tokens, and how often three ways to encode disagree."""
    random, texts, tokens, different = Random(24), 0, 0, 0
    for alphabet in ["ab", "abc", "你好a"] * 60:
        text, other = ("".join(random.choices(alphabet, k=24)) for _ in range(2))
        rows, start = lesson.spell({text: 1})
        merges = lesson.learn(lesson.train(rows, start, 12)).merges
        rules, vocabulary = lesson.numbered(merges), lesson.grow(merges, start)
        ids = lesson.encode_in_order(other.encode(), rules)
        ranks = {token: id for id, token in vocabulary.items()}
        by_rank = [ranks[token] for token in lesson.merge_by_rank(other.encode(), ranks)]
        texts, tokens = texts + 1, tokens + len(ids)
        different += not ids == lesson.encode(other.encode(), rules) == by_rank
    return {"texts": texts, "tokens": tokens, "different": different}


def claim_002_15() -> dict[str, Any]:
    """The word lower by the rules of lower, lowest, flower and in two real vocabularies."""
    rules, vocabulary = trained("plain", 20, "flower")
    real = {name: vocabularies.load(name).encode("lower") for name in ("gpt2", "o200k_base")}
    return {"toy": toy_cut("lower", rules, vocabulary), **real}


def toy_pieces(text: str, steps: int) -> str:
    """A text cut before its spaces and encoded with the merges of the small corpus."""
    rules, vocabulary = trained("space", steps)
    return " ".join(toy_cut(piece, rules, vocabulary) for piece in split.split(text, "simple"))


def claim_003_25() -> dict[str, str]:
    """The article's sentence with its nine merges, with four, and the start alphabet."""
    found = {f"{n} merges": toy_pieces("the newest low", n) for n in (9, 4)}
    _, start = Rules("space").start(corpus.words("walkthrough"))
    return found | {"alphabet": " ".join(map(readable, start.values()))}


def claim_003_26() -> dict[str, Any]:
    """How often newest occurs in the small corpus, and how four words are cut that do not occur."""
    new = (" lowest", " newer", "lowest", "newer")
    return {"newest": corpus.words("walkthrough")["newest"]} | {word: toy_pieces(word, 9) for word in new}


def claim_003_28() -> dict[str, list[str]]:
    """Two words by the rules of the small corpus, in order and in reverse."""
    return in_both_orders("newest", "lowest")


def claim_003_64() -> dict[str, Any]:
    """The vocabulary rebuilt from the merges alone, and the words that come out otherwise in reverse."""
    rules, vocabulary = trained("plain", 20)
    _, letters = Rules("plain").start(corpus.words("walkthrough"))
    both = in_both_orders(*corpus.words("walkthrough"))
    other = [word for word, (one, reverse) in both.items() if one != reverse]
    return {"rebuilt": lesson.grow(rules, letters) == vocabulary, "entries": len(vocabulary), "other": other}


def claim_004_09() -> dict[str, str]:
    """The words newer and lowest, with a marker, after 10 merges and after all 15."""
    cut_after = {n: trained("own", n) for n in (10, 15)}
    words = ("newer_", "lowest_")
    return {f"{word} {n}": toy_cut(word, *cut_after[n]) for word in words for n in cut_after}


def claim_004_18() -> dict[str, Any]:
    """The first rule, its count, the greatest count, and a word encoded twice until no rule applies."""
    steps, vocabulary = Rules("own").run(corpus.words("walkthrough"), 15)
    rows, _ = Rules("own").start(corpus.words("walkthrough"))
    rules = {step.pair: step.new_id for step in steps}
    once, twice = (lesson.encode(rows[2][0], rules) for _ in range(2))
    return {
        "first rule": readable(vocabulary[steps[0].new_id]),
        "count": steps[0].count,
        "greatest": max(lesson.count_pairs(rows).values()),
        "newest_": row_of(once, vocabulary),
        "same again": once == twice == lesson.encode(once, rules),
    }
