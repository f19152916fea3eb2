"""Statements on how real vocabularies cut a word, and on what is in them."""

from collections import Counter
from typing import Any, cast

from bpe_lessons import corpus, lesson, vocabularies
from bpe_lessons.glyphs import from_glyphs
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.show import readable
from bpe_lessons.text import parse_json
from bpe_lessons.tokenizer import Tokenizer
from bpe_lessons.walkthrough import Rules


def ranked(name: str) -> Tokenizer:
    """A real vocabulary, one of those that are a list of merges or ranks."""
    return cast(Tokenizer, vocabularies.load(name))


def cut(name: str, text: str) -> str:
    """The tokens of a text in a real vocabulary, readable, a bar between them."""
    vocabulary = vocabularies.load(name)
    if isinstance(vocabulary, Pipeline):
        tokens = [from_glyphs(token) for token in vocabulary.encoding(text).tokens]
    else:
        tokens = [vocabulary.vocabulary[id] for id in vocabulary.encode(text)]
    return "|".join(map(readable, tokens))


def cuts(text: str) -> dict[str, str]:
    """The tokens of a text in each vocabulary there is."""
    return {name: cut(name, text) for name in vocabularies.NAMES}


def ids(text: str) -> dict[str, list[int]]:
    """The ids of a text in each vocabulary there is."""
    return {name: vocabularies.load(name).encode(text) for name in vocabularies.NAMES}


def claim_000_02() -> dict[str, Any]:
    """How the line of poetry is cut, and which vocabularies hold the article's pieces whole."""
    whole = {word: [n for n in vocabularies.NAMES if "|" not in cut(n, word)] for word in ("众里", "寻他")}
    return {**cuts("众里寻他千百度"), "one token": whole}


def is_text(token: bytes) -> bool:
    """Whether the bytes are whole characters."""
    try:
        return bool(token.decode())
    except UnicodeDecodeError:
        return False


def claim_000_03() -> dict[str, int]:
    """The entries of GPT-4's vocabulary, and how many of them are no whole characters, let alone words."""
    entries = ranked("cl100k_base").token_ids
    return {"entries": len(entries), "no whole characters": sum(not is_text(token) for token in entries)}


def claim_000_04() -> dict[str, Any]:
    """For each vocabulary, its entries and how many of them are no join of two earlier ones."""
    found: dict[str, Any] = {}
    for name in vocabularies.NAMES:
        vocabulary = vocabularies.load(name)
        if isinstance(vocabulary, Pipeline):
            found[name] = parse_json(vocabularies.find(name))["model"]["type"]
        else:
            merges = vocabulary.merges
            found[name] = [len(merges), sum(isinstance(merge, bytes) for merge in merges)]
    return found


def claim_000_12() -> dict[str, Any]:
    """The word university, at the start of a text and after a space, with its ids there."""
    return {"university": cuts("university"), " university": cuts(" university"), "ids": ids(" university")}


def claim_000_35() -> dict[str, Any]:
    """The word hello after a space, and its ids."""
    return {" hello": cuts(" hello"), "ids": ids(" hello")}


def claim_002_31() -> dict[str, str]:
    """A fruit alone, after a space, with a capital, and twice in one sentence, in GPT-4o's vocabulary."""
    texts = ("strawberry", " strawberry", "Strawberry", "A strawberry is a strawberry.")
    return {text: cut("o200k_base", text) for text in texts}


def claim_002_36() -> dict[str, Any]:
    """Rare words cut, and how many of the 20,992 Hanzi from U+4E00 on take 1, 2 and 3 tokens."""
    found: dict[str, Any] = {text: cut("o200k_base", text) for text in ("龘", "𠮷", "饕餮", "zxqvjkw")}
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        ranks = ranked(name).token_ids
        sizes = Counter(
            len(lesson.merge_by_rank(lesson.utf8(point), ranks)) for point in range(0x4E00, 0xA000)
        )
        found[name] = [sizes[n] for n in (1, 2, 3)]
    return found


def claim_002_39() -> dict[str, Any]:
    """Which byte id 0 is and whether ids 0 to 255 are all bytes; the start alphabet of the first papers."""
    found: dict[str, Any] = {}
    for name in ("gpt2", "cl100k_base", "o200k_base", "qwen2.5", "qwen3.5"):
        first = [ranked(name).vocabulary[id] for id in range(256)]
        found[name] = [readable(first[0]), sorted(first) == [bytes([byte]) for byte in range(256)]]
    _, letters = Rules("own").start(corpus.words("walkthrough"))
    return found | {"characters and a marker": len(letters)}


def claim_003_10() -> dict[str, Any]:
    """The word unbelievable, at the start of a text and after a space."""
    return {"unbelievable": cuts("unbelievable"), " unbelievable": cuts(" unbelievable")}


def claim_004_15() -> dict[str, Any]:
    """The words machine and 学习 in each vocabulary."""
    return {word: cuts(word) for word in ("machine", "学习")}
