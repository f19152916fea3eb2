"""Statements on how long a text becomes: English beside Chinese and Burmese, and what a window holds."""

from typing import Any

import tiktoken

from bpe_lessons import corpus, measure, vocabularies
from bpe_lessons.claims.characters import SENTENCE
from bpe_lessons.claims.cuts import cut
from bpe_lessons.claims.mapping import error
from bpe_lessons.claims.models import encode, in_each

ENGLISH = "I love this city"
WINDOW = 8 * 1024  # tokens


def relative(language: str) -> dict[str, float]:
    """The tokens of our parallel sentences in a language, as a multiple of English, in each vocabulary."""
    texts = {code: corpus.parallel()[code] for code in ("en", language)}
    tables = {name: measure.tokens_relative(vocabularies.load(name), texts) for name in vocabularies.NAMES}
    return {name: round(float(table[language]), 2) for name, table in tables.items()}


def chinese() -> str:
    """Our parallel sentences in Chinese, as one text."""
    return "".join(corpus.parallel()["zh"])


def claim_002_19() -> dict[str, Any]:
    """The English sentence in GPT-4o's tokens, its ids, and its length in each vocabulary."""
    return {
        "tokens": cut("o200k_base", ENGLISH),
        "ids": encode("o200k_base", ENGLISH),
        "in each": in_each(ENGLISH),
    }


def claim_002_20() -> dict[str, Any]:
    """The Chinese sentence in GPT-4o's tokens, its ids, its length beside English, and in each vocabulary."""
    ids = encode("o200k_base", SENTENCE)
    return {
        "tokens": cut("o200k_base", SENTENCE),
        "ids": ids,
        "Chinese / English": len(ids) / len(encode("o200k_base", ENGLISH)),
        "in each": in_each(SENTENCE),
    }


def claim_002_21() -> dict[str, Any]:
    """Tokens of Chinese for a token of English, and the vocabularies where they are more than two."""
    ratios = relative("zh")
    return {"Chinese / English": ratios, "more than two": [name for name in ratios if ratios[name] > 2]}


def claim_002_22() -> dict[str, Any]:
    """Characters of Chinese in a token, and the vocabularies where they are more than one."""
    text = chinese()
    rates = {name: measure.characters_per_token(text, encode(name, text)) for name in vocabularies.NAMES}
    return {
        "characters per token": {name: round(rate, 2) for name, rate in rates.items()},
        "more than one": [name for name, rate in rates.items() if rate > 1],
    }


def claim_002_23() -> dict[str, Any]:
    """How many times as many tokens GPT-4o's vocabulary takes for Chinese as two from China."""
    text, names = chinese(), ("o200k_base", "deepseek", "qwen3.5")
    tokens = {name: len(encode(name, text)) for name in names}
    return {
        "the sentence": {name: len(encode(name, SENTENCE)) for name in names},
        "o200k_base takes times": {name: round(tokens[names[0]] / tokens[name], 2) for name in names[1:]},
    }


def claim_003_53() -> dict[str, Any]:
    """Bytes per token of three texts under GPT-4's vocabulary, and what a special token in a text does."""
    texts = {name: corpus.text(name) for name in ("chinese_heldout", "mixed", "english_heldout")}
    rates = {name: measure.bytes_per_token(text, encode("cl100k_base", text)) for name, text in texts.items()}
    spelled = "The mark <|endoftext|> ends a text."
    return {
        "bytes per token": {name: round(rate, 2) for name, rate in rates.items()},
        "2.5 to 3.5": [name for name, rate in rates.items() if 2.5 <= rate <= 3.5],
        "with <|endoftext|>": error(vocabularies.load("cl100k_base").encode, spelled),
    }


def claim_003_54() -> dict[str, str]:
    """The encodings of three models, as tiktoken's table has them."""
    models = ("gpt-3.5-turbo", "gpt-4", "gpt-4o")
    return {model: tiktoken.encoding_name_for_model(model) for model in models}


def claim_003_55() -> dict[str, int]:
    """The bytes that a window of 8K tokens holds: of 你 as one token, 3 bytes, and as two, 1.5 each."""
    rates = [measure.bytes_per_token("你", ids) for ids in ([0], [0, 1])]
    return {f"{rate} bytes per token": round(WINDOW * rate) for rate in rates}


def claim_003_56() -> dict[str, Any]:
    """Bytes of Chinese in a token of each vocabulary, and how many times the best is the worst."""
    text = chinese()
    rates = {name: measure.bytes_per_token(text, encode(name, text)) for name in vocabularies.NAMES}
    return {
        "bytes per token": {name: round(rate, 2) for name, rate in rates.items()},
        "best / worst": round(max(rates.values()) / min(rates.values()), 1),
    }


def claim_003_62() -> dict[str, Any]:
    """Tokens of Burmese for a token of English, and the vocabularies where they are 5 to 10."""
    ratios = relative("my")
    return {"Burmese / English": ratios, "5 to 10": [name for name in ratios if 5 <= ratios[name] <= 10]}


def claim_004_14() -> dict[str, dict[str, int]]:
    """The number of tokens of two Chinese words under GPT-2 and under Qwen2.5."""
    words = ("学习", "你好")
    return {name: {word: len(encode(name, word)) for word in words} for name in ("gpt2", "qwen2.5")}
