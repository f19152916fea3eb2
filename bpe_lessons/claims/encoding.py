"""Statements on what can be encoded, what comes back, and what a table lacks."""

import re
import string
from collections import Counter
from random import Random
from typing import Any

from bpe_lessons import corpus, lesson, split, unigram, vocabularies
from bpe_lessons.claims.cuts import cut, ranked
from bpe_lessons.lesson import Vocabulary
from bpe_lessons.show import readable
from bpe_lessons.tokenizer import Tokenizer
from bpe_lessons.walkthrough import Rules


def error_of(function: Any, *arguments: Any, **named: Any) -> str:
    """The message of the ValueError that a call raises, or what it gives."""
    try:
        return repr(function(*arguments, **named))
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


def claim_000_01() -> dict[str, Any]:
    """The ids of the article's four pieces, and the text of the last two ids."""
    table = {id: piece.encode() for id, piece in zip((100, 201, 302, 403), ("众里", "寻他", "千", "百度"))}
    ids = {piece: id for id, piece in table.items()}
    whole = [ids[piece.encode()] for piece in ("众里", "寻他", "千", "百度")]
    return {"ids": whole, "text": lesson.decode(whole, table), "last two": lesson.decode(whole[2:], table)}


def claim_000_25() -> dict[str, Any]:
    """What decoding gives for half a character, for an id that does not exist and for no id."""
    gpt2 = ranked("gpt2")
    return {
        "bytes of 19526": gpt2.decode_bytes([19526]).hex(" "),
        "replaced": gpt2.decode([19526]),
        "strict": error_of(gpt2.decode, [19526], errors="strict").split(":")[0],
        "unknown id": error_of(gpt2.decode, [50257]),
        "no id": gpt2.decode([]),
    }


def claim_000_26() -> dict[str, Any]:
    """Training to 400, encoding and decoding a whole text; an empty text; a lone surrogate."""
    text = corpus.text("mixed")
    tokenizer = Tokenizer.train(text, vocab_size=400, pattern="none")
    ids = tokenizer.encode(text)
    empty = Tokenizer.train("", vocab_size=400)
    return {
        "same text": tokenizer.decode(ids) == text,
        "tokens": len(ids),
        "empty": [len(empty), empty.stopped],
        "surrogate": error_of(tokenizer.encode, "\ud83d").split(",")[0],
    }


def claim_002_37() -> dict[str, Any]:
    """Random texts that come back, and three texts that are refused or become unknown."""
    random, gpt2, same, tokens = Random(37), ranked("gpt2"), 0, 0
    points = [*range(0xD800), *range(0xE000, 0x110000)]
    for _ in range(200):
        text = "".join(map(chr, random.sample(points, 5)))
        ids = gpt2.encode(text)
        same, tokens = same + (gpt2.decode(ids) == text), tokens + len(ids)
    *_, last = unigram.train(corpus.words("walkthrough"), 20)
    return {
        "same of 200": same,
        "tokens": tokens,
        "surrogate": error_of(gpt2.encode, "\ud83d").split(",")[0],
        "special token": error_of(gpt2.encode, "<|endoftext|>").split(";")[0],
        "Unigram": unigram.encode("🙂", last.model),
    }


def claim_002_38() -> dict[str, Any]:
    """Code points before and after encoding and decoding, with and without normalization."""
    names = ("gpt2", "cl100k_base", "qwen2.5")
    back = {name: vocabularies.load(name) for name in names} | {"NFKC": Tokenizer((), normalization="NFKC")}
    texts = ("e\u0301", "①")
    code_points: dict[str, Any] = {
        name: [" ".join(f"{ord(c):X}" for c in v.decode(v.encode(text))) for text in texts]
        for name, v in back.items()
    }
    return {"text": [" ".join(f"{ord(c):X}" for c in text) for text in texts]} | code_points


def claim_003_03() -> int:
    """The characters of unbelievable."""
    return len(lesson.symbols("unbelievable", "characters"))


def claim_003_04() -> dict[str, Any]:
    """The letters of hello; the share of running and of distinct words with 2 to 6 letters; the mean."""
    words = Counter(re.findall("[a-z']+", corpus.text("english").lower()))
    sizes = {word: len(lesson.symbols(word, "characters")) for word in words}
    fit = [word for word in words if 2 <= sizes[word] <= 6]
    running = sum(words[word] for word in fit) / words.total()
    return {
        "hello": len(lesson.symbols("hello", "characters")),
        "running": round(running, 3),
        "distinct": round(len(fit) / len(words), 3),
        "mean": round(sum(sizes[word] * n for word, n in words.items()) / words.total(), 2),
        "fewer of the distinct": len(fit) / len(words) < running < 1,
    }


def missing(text: str, alphabet: str, known: Vocabulary) -> str:
    """The symbols of a text that a start alphabet lacks."""
    return " ".join(readable(s) for _, s in lesson.symbols(text, alphabet) if s not in known.values())


def claim_003_06() -> dict[str, str]:
    """What a table of letters and punctuation lacks for a short text, and what the table of bytes lacks."""
    text = "café 你好 🙂"
    _, letters = lesson.spell({string.ascii_letters + string.punctuation + " ": 1}, "characters")
    _, all_bytes = lesson.spell({})
    return {"letters": missing(text, "characters", letters), "bytes": missing(text, "bytes", all_bytes)}


def claim_003_08() -> dict[str, Any]:
    """How many words of a new text a table of our text and a long published list lack; e-mail and email."""
    known, new = (
        {piece.strip().lower() for piece in split.split(corpus.text(name)) if piece.strip().isalpha()}
        for name in ("english", "english_heldout")
    )
    large = corpus.word_counts("en")
    return {
        "new words": len(new),
        "entries": [len(known), len(large)],
        "unknown": [len(new - known), len(new.difference(large))],
        "always some": bool(new - known) and bool(new.difference(large)),
        **{word: cut("cl100k_base", word) for word in ("e-mail", "email")},
    }


def claim_003_11() -> dict[str, str]:
    """The symbols of a text that the alphabet of the small corpus lacks, in characters and in bytes."""
    found = {}
    for alphabet in ("characters", "bytes"):
        _, start = Rules("space", alphabet=alphabet).start(corpus.words("walkthrough"))
        found[alphabet] = missing("你好 z", alphabet, start)
    return found
