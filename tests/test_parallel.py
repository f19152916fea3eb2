"""The parallel sentences: the same 36 in every language, clean and in the scripts they should be in."""

import re
import unicodedata
from statistics import median

import pytest

from bpe_lessons import corpus

SCRIPTS = {
    "zh": {"CJK"},
    "ja": {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    "ko": {"HANGUL"},
    "ru": {"CYRILLIC"},
    "ar": {"ARABIC"},
    "hi": {"DEVANAGARI"},
    "th": {"THAI"},
    "my": {"MYANMAR"},
    "el": {"GREEK"},
}
LANGUAGES = ("en", "zh", "ja", "ko", "es", "de", "fr", "ru", "ar", "hi", "th", "my", "tr", "fi")
LANGUAGES += ("el", "vi", "sw")
# The last characters of a sentence; Thai writes none but may exclaim. The Greek question mark is U+003B.
ENDS = {"zh": "。？！", "ja": "。？！", "ar": ".؟!", "hi": "।?!", "my": "။", "el": ".;!"}


def test_languages_and_rows():
    sentences = corpus.parallel()
    assert tuple(sentences) == LANGUAGES
    assert {len(column) for column in sentences.values()} == {36}
    assert (sentences["en"][0], sentences["zh"][0]) == ("I love this city.", "我爱这座城市。")
    assert all(4 <= len(sentence.split()) <= 20 for sentence in sentences["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_clean(language):
    column = corpus.parallel()[language]
    assert len(set(column)) == len(column)
    for sentence in column:
        assert sentence and sentence == sentence.strip() and "  " not in sentence
        assert unicodedata.normalize("NFC", sentence) == sentence
        assert not re.search(r'[\t\r\n"\u200b-\u200f\ufeff]', sentence)
        assert language == "th" or sentence[-1] in ENDS.get(language, ".?!")
        assert language not in ("zh", "ja") or " " not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_digits_agree(language):
    sentences = corpus.parallel()
    for english, sentence in zip(sentences["en"], sentences[language]):
        numbers = re.findall(r"\d+", sentence)
        assert sorted(numbers) == sorted(re.findall(r"\d+", english)), sentence
        assert "".join(numbers).isascii()


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts(language):
    letters = {c for c in "".join(corpus.parallel()[language]) if unicodedata.category(c)[0] in "LM"}
    assert {unicodedata.name(c).split()[0] for c in letters} == SCRIPTS.get(language, {"LATIN"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_lengths_are_plausible(language):
    sentences = corpus.parallel()
    ratios = [len(other) / len(english) for english, other in zip(sentences["en"], sentences[language])]
    low, high = {"zh": (0.2, 0.4), "ja": (0.35, 0.6), "ko": (0.4, 0.7)}.get(language, (0.7, 1.3))
    assert low <= median(ratios) <= high
    assert low / 2.5 <= min(ratios) and max(ratios) <= high * 2
