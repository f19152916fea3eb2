"""Statements on the compressor of 1994, on WordPiece and on Unigram."""

from math import log, prod
from random import Random
from typing import Any

from bpe_lessons import corpus, gage, lesson, split, unigram, vocabularies, wordpiece
from bpe_lessons.show import readable
from bpe_lessons.walkthrough import Rules

SHARES = {"a": 0.2, "b": 0.2, "c": 0.1, "ab": 0.1, "bc": 0.24, "abc": 0.06, "d": 0.1}


def claim_002_06() -> dict[str, Any]:
    """A toy after three replacements; what pays; data with all 256 bytes, in one table and in blocks."""
    rows, start = lesson.spell(corpus.words("aaab"))
    *_, step = lesson.train(rows, start, 3)
    every = bytes(range(256)) + corpus.text("english").encode()[:8_000]
    table, _ = gage.squeeze(every)
    return {
        "symbols after 3 pairs": len(step.corpus[0][0]),
        "pairs that pay": len(gage.squeeze(b"aaabdaaabac")[0]),
        "pairs in one table": len(table),
        "pairs in blocks": [len(gage.squeeze(block)[0]) for block in gage.blocks(every)],
        "restored": gage.expand(gage.compress(every)) == every,
    }


def claim_002_07() -> dict[str, Any]:
    """20,000 bytes of repetition, of English and of noise, and their sizes in one table and packed."""
    data = {
        "repetition": b"low " * 5_000,
        "English": corpus.text("english").encode()[:20_000],
        "noise": Random(1).randbytes(20_000),
    }
    found: dict[str, Any] = {}
    for name, block in data.items():
        table, symbols = gage.squeeze(block)
        found[name] = [len(symbols) + gage.ENTRY * len(table), len(gage.compress(block))]
    one, packed = zip(*found.values())
    return found | {"more repetition, smaller": list(one) == sorted(one) and list(packed) == sorted(packed)}


def claim_002_08() -> dict[str, Any]:
    """Whether the compressor and the tokenizers give a text back, and in how many symbols they held it."""
    text = corpus.text("english_heldout")[:2_000]
    packed = gage.compress(text.encode())
    found: dict[str, Any] = {"gage": [len(packed), gage.expand(packed) == text.encode()]}
    for name in vocabularies.NAMES:
        ids = vocabularies.load(name).encode(text)
        found[name] = [len(ids), vocabularies.load(name).decode(ids) == text]
    return found


def claim_002_33() -> list[str]:
    """The first six joins of WordPiece's score with their scores and how many pairs tie."""
    rows = wordpiece.spell(corpus.words("walkthrough"))
    return [f"{s.token} {s.score} ({len(s.tied)})" for s in wordpiece.train(rows, 6)]


def unigram_sizes() -> list[int]:
    """How many pieces Unigram has at each iteration, from the seed to 20."""
    return [len(step.model.scores) for step in unigram.train(corpus.words("walkthrough"), 20)]


def claim_002_35() -> dict[str, list[int]]:
    """The sizes of the vocabulary during a training of Unigram and of BPE on the same words."""
    rows, start = lesson.spell(corpus.words("walkthrough"), "characters")
    sizes = [len(start) + n for n, _ in enumerate(lesson.train(rows, start, 10), 1)]
    return {"Unigram": sorted(set(unigram_sizes()), reverse=True), "BPE": [len(start), *sizes]}


def claim_002_40() -> dict[str, list[str]]:
    """The first six merges of one small text as in 1994, in 2015 and in 2019."""
    words = corpus.words("walkthrough")
    text = " ".join(word for word, n in words.items() for _ in range(n))
    table, _ = gage.squeeze(text.encode())
    rows, start = lesson.spell(split.count(text, "gpt2"), "glyphs")
    merges = lesson.learn(lesson.train(rows, start, 6)).merges
    steps, own = Rules("own").run(words, 6)
    return {
        "1994": [readable(gage.unsqueeze(table, bytes([new]))) for new in list(table)[:6]],
        "2015": [readable(own[step.new_id]) for step in steps],
        "2019": [readable(token) for token in list(lesson.grow(merges, start).values())[256:]],
    }


def toy() -> unigram.Model:
    """Seven pieces with their probabilities."""
    return unigram.Model({piece: log(share) for piece, share in SHARES.items()})


def claim_003_42() -> dict[str, Any]:
    """The best cut of abcd with its log probability, and every cut with its probability."""
    edges = unigram.lattice("abcd", toy())
    best, score = unigram.viterbi(edges)
    products = {
        "|".join(cut): round(prod(SHARES[piece] for piece in cut), 6) for cut, _ in unigram.n_best(edges, 9)
    }
    return {"best": "|".join(best), "log": round(score, 3), "cuts": products}


def claim_003_43() -> dict[str, Any]:
    """The sizes during a training of Unigram, an entry for each iteration of EM."""
    return {"sizes": unigram_sizes(), "iterations at each size": unigram.EM_ROUNDS, "kept": unigram.KEPT}


def claim_003_44() -> dict[str, Any]:
    """The cuts of abcd from the best down, and how many different ones come up in 200 draws."""
    edges = unigram.lattice("abcd", toy())
    random = Random(44)
    drawn = {"|".join(unigram.sample(edges, 0.5, random)) for _ in range(200)}
    return {"n-best": ["|".join(cut) for cut, _ in unigram.n_best(edges, 9)], "drawn": len(drawn)}


def claim_003_45() -> dict[str, Any]:
    """The code point of the space mark, a text cut at it, and the pieces that hold one inside."""
    text = corpus.text("english_heldout")[:4_000]
    *_, last = unigram.train(unigram.count(text), 300, seed_size=1_000)
    pieces = list(last.model.scores)
    return {
        "mark": f"U+{ord(unigram.SPACE):04X}",
        "words": unigram.cut(unigram.mark("low lower newest")),
        "pieces": len(pieces),
        "with a mark": sum(unigram.SPACE in piece for piece in pieces),
        "with a mark inside": sum(unigram.SPACE in piece[1:] for piece in pieces),
    }
