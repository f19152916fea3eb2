"""Statements on training with English and with Chinese: what is merged first, and why."""

from collections import Counter
from typing import Any

from bpe_lessons import corpus, engine, lesson, split
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.show import readable


def history(name: str, token: str) -> list[str]:
    """Every token that was merged on the way to one, with its id, in the order learned."""
    vocabulary = ranked(name)
    found, waiting = set(), [vocabulary.token_ids[token.encode()]]
    while waiting:
        id = waiting.pop()
        if id >= 256:
            found.add(id)
            waiting += vocabulary.merges[id - 256]
    return [f"{readable(vocabulary.vocabulary[id])} {id}" for id in sorted(found)]


def claim_002_10() -> dict[str, list[str]]:
    """The merges that lead to " the" in three vocabularies."""
    return {name: history(name, " the") for name in ("gpt2", "cl100k_base", "qwen2.5")}


def claim_002_11() -> list[str]:
    """The tokens that training makes of four times the same Hanzi, asked for five."""
    rows, start = lesson.spell(corpus.words("di"))
    merges = lesson.learn(lesson.train(rows, start, 5)).merges
    return [readable(token) for token in list(lesson.grow(merges, start).values())[256:]]


def claim_002_12() -> dict[str, Any]:
    """The merges of the small corpus, of the same corpus in other letters, and what a pattern cuts."""
    letters, hanzi = "lowernstid", "大小上下左右东西南北"
    words = corpus.words("walkthrough")
    disguised = {word.translate(str.maketrans(letters, hanzi)): n for word, n in words.items()}
    lists = []
    for pieces in (words, disguised):
        rows, start = lesson.spell(pieces, "characters")
        merges = lesson.learn(lesson.train(rows, start, 12)).merges
        lists.append([token.decode() for token in list(lesson.grow(merges, start).values())[len(start) :]])
    back = [token.translate(str.maketrans(hanzi, letters)) for token in lists[1]]
    return {"letters": lists[0], "same in Hanzi": back == lists[0], "pieces": split.split("they don't stop")}


def claim_002_17() -> dict[str, dict[str, int]]:
    """How many Hanzi of two blocks of Unicode take how many bytes."""
    blocks = {"U+4E00 to U+9FFF": range(0x4E00, 0xA000), "U+20000 to U+2A6DF": range(0x20000, 0x2A6E0)}
    sizes = {name: Counter(len(lesson.utf8(point)) for point in block) for name, block in blocks.items()}
    return {name: {f"{size} bytes": n for size, n in found.items()} for name, found in sizes.items()}


def first_word(tokens: list[bytes]) -> list[Any]:
    """The number of the first token of two Hanzi and more, and the token."""
    for number, token in enumerate(tokens, 1):
        text = token.decode("utf-8", "replace")
        if len(text) > 1 and all("\u4e00" <= character <= "\u9fff" for character in text):
            return [number, text]
    return []


def claim_002_18() -> dict[str, Any]:
    """The first merges of a Chinese text, when its first two-Hanzi token comes, and three published ids."""
    pieces = split.count(corpus.text("chinese"))
    found: dict[str, Any] = {}
    for alphabet in ("bytes", "characters"):
        rows, start = lesson.spell(pieces, alphabet)
        merges = engine.train(rows, start, 400).merges
        tokens = list(lesson.grow(merges, start).values())[len(start) :]
        found[alphabet] = {"first": [readable(token) for token in tokens[:5]], "word": first_word(tokens)}
    for name in ("cl100k_base", "o200k_base"):
        ids = ranked(name).token_ids
        found[name] = {word: ids[word.encode()] for word in ("的", "可以", "我们")}
    return found
