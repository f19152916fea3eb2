"""Statements on training: what is counted, what a merge saves, what happens at the edges of a size."""

from collections import Counter
from random import Random
from typing import Any

from bpe_lessons import corpus, lesson
from bpe_lessons.lesson import Corpus, Vocabulary
from bpe_lessons.show import readable
from bpe_lessons.tokenizer import Tokenizer


def length(rows: Corpus) -> int:
    """How many symbols a corpus holds."""
    return sum(len(ids) * n for ids, n in rows)


def saved(text: str, pair: str) -> list[int]:
    """How often a pair of letters counts in a text, and how many symbols merging it saves."""
    ids = list(text.encode())
    left, right = pair.encode()
    after = lesson.merge(ids, (left, right), 256)
    return [lesson.count_pairs([(ids, 1)])[left, right], len(ids) - len(after)]


def claim_000_13() -> dict[str, list[int]]:
    """The best count before each merge, the count of the pair merged, and the entries after it."""
    rows, letters = lesson.spell(corpus.words("walkthrough"), "characters")
    steps = list(lesson.train(rows, letters, 20))
    before = [rows, *(step.corpus for step in steps[:-1])]
    return {
        "best": [max(lesson.count_pairs(one).values()) for one in before],
        "merged": [step.count for step in steps],
        "entries": [len(lesson.grow([s.pair for s in steps[: n + 1]], letters)) for n in range(len(steps))],
    }


def claim_000_19() -> dict[str, Any]:
    """A vocabulary of 400 from a text in two languages: its sizes and its first merges."""
    text = corpus.text("mixed")
    tokenizer = Tokenizer.train(text, vocab_size=400, pattern="none")
    ids = tokenizer.encode(text)
    start = list(text[:1_500].encode())
    naive: list[tuple[int, int]] = []
    while len(naive) < 40:
        [(pair, _)] = Counter(zip(start, start[1:])).most_common(1)  # of equals the one met first
        start = lesson.merge(start, pair, 256 + len(naive))
        naive.append(pair)
    short = Tokenizer.train(text[:1_500], merges=len(naive), pattern="none")
    return {
        "entries": len(tokenizer),
        "merges": len(tokenizer.merges),
        "first seen wins": list(short.merges) == naive,
        "tokens": len(ids),
        "bytes a token": round(len(text.encode()) / len(ids), 3),
        "first": [readable(tokenizer.vocabulary[id]) for id in range(256, 264)],
    }


def claim_000_20() -> dict[str, Any]:
    """How many of 300 entries a short text allows, and why training stopped."""
    trained = {text: Tokenizer.train(text, vocab_size=300, pattern="none") for text in ("low low", "a", "")}
    return {text: [len(tokenizer), tokenizer.stopped] for text, tokenizer in trained.items()}


def claim_000_21() -> dict[str, Any]:
    """What a size of 100 gives when the number of merges is worked out blindly, and what the package says."""
    rows, start = lesson.spell({"low low": 1})
    learned = lesson.learn(lesson.train(rows, start, 100 - len(start)))
    try:
        said = repr(Tokenizer.train("low low", vocab_size=100))
    except ValueError as error:
        said = str(error)
    return {"entries": len(lesson.grow(learned.merges, start)), "package": said}


def claim_000_22() -> dict[str, Any]:
    """Texts with the count of a pair and what merging it saves, and the pair that training takes."""
    step = next(lesson.train(*lesson.spell({"aaabcbc": 1}), 1))
    taken = bytes(step.pair).decode()
    return {
        "aaa": saved("aaa", "aa"),
        "aaaaa": saved("aaaaa", "aa"),
        "aaabcbc": {pair: saved("aaabcbc", pair) for pair in ("aa", "bc")},
        "taken": taken,
    }


def claim_000_23() -> dict[str, dict[str, int]]:
    """Merges and tokens left when pairs may occur once, and when they must occur twice."""
    rows, start = lesson.spell({"low lower lowest": 1})
    steps = {f: list(lesson.train(rows, start, 100, min_frequency=f)) for f in (1, 2)}
    return {f"{f} or more": {"merges": len(s), "left": length(s[-1].corpus)} for f, s in steps.items()}


def claim_003_13() -> dict[str, Any]:
    """Counts and savings: two pairs of equal letters, and all pairs of the small corpus."""
    rows, _ = lesson.spell(corpus.words("walkthrough"), "characters")
    counts = lesson.count_pairs(rows)
    saves = {
        pair: length(rows) - length([(lesson.merge(i, pair, 99), n) for i, n in rows]) for pair in counts
    }
    return {
        "aaa": saved("aaa", "aa"),
        "aaaaa": saved("aaaaa", "aa"),
        "unequal": [sum(counts[p] == saves[p] for p in counts if p[0] != p[1]), len(counts)],
    }


def fewest(rows: Corpus, merges: int, new_id: int) -> int:
    """The fewest symbols that any choice of so many merges leaves."""
    counts = lesson.count_pairs(rows)
    if not merges or not counts:
        return length(rows)
    trials = ([(lesson.merge(ids, pair, new_id), n) for ids, n in rows] for pair in counts)
    return min(fewest(trial, merges - 1, new_id + 1) for trial in trials)


def claim_003_14() -> dict[str, Any]:
    """Symbols left after two merges, greedy and at best, and the length of the small corpus as it falls."""
    rows, start = lesson.spell({"aaabaab": 1})
    greedy = list(lesson.train(rows, start, 2))[-1].corpus
    small, letters = lesson.spell(corpus.words("walkthrough"), "characters")
    after = [step.corpus for step in lesson.train(small, letters, 12)]
    return {
        "greedy": length(greedy),
        "best": fewest(rows, 2, len(start)),
        "lengths": [length(one) for one in [small, *after]],
    }


def looked_at(rows: Corpus, start: Vocabulary, rounds: int) -> int:
    """How many places a trainer looks at that counts the whole corpus in every round."""
    before = [rows, *(step.corpus for step in lesson.train(rows, start, rounds))][:rounds]
    return sum(len(ids) - 1 for one in before for ids, _ in one)


def claim_003_20() -> dict[str, int]:
    """The places a naive trainer looks at, for one text and its double, for 5 and 10 rounds."""
    words = [word for word, n in corpus.words("walkthrough").items() for _ in range(n)]
    rows, start = lesson.spell(corpus.words("walkthrough"), "characters")
    ids = dict(zip(corpus.words("walkthrough"), (ids for ids, _ in rows)))
    once = [(ids[word], 1) for word in words]
    return {
        f"{len(text)} words, {rounds} rounds": looked_at(text, start, rounds)
        for text in (once, once * 2)
        for rounds in (5, 10)
    }


def claim_004_13() -> dict[str, int]:
    """Merges of 200 random trainings, the entries they added, and the entries spelled like another one."""
    random, merges, added, alike = Random(13), 0, 0, 0
    for _ in range(200):
        rows, start = lesson.spell(
            {"".join(random.choices("abc", k=12)): random.randint(1, 3) for _ in range(3)}
        )
        learned = lesson.learn(lesson.train(rows, start, 8)).merges
        tokens = lesson.grow(learned, start)
        merges, added = merges + len(learned), added + len(tokens) - len(start)
        alike += len(tokens) - len(set(tokens.values()))
    return {"merges": merges, "entries added": added, "spelled alike": alike}


def claim_004_17() -> dict[str, Any]:
    """Two rows that a merge makes equal: how often they occur, kept apart and as the keys of a dict."""
    rows = [(list(b"ab"), 2), ([256], 3)]
    merged = [(tuple(lesson.merge(ids, (97, 98), 256)), n) for ids, n in rows]
    return {"kept": sum(n for _, n in merged), "overwritten": sum(dict(merged).values())}
