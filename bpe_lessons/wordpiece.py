"""WordPiece: training joins the pairs that belong together; encoding takes the longest match.

A token is its spelling; `##` in front of it says that it continues a word. Sources: Schuster and Nakajima
(2012) for the idea, Devlin et al. (2019), BERT, for the encoder. The trainer that made BERT's vocabulary was
never published; the score is the one usually given for it.
"""

from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bpe_lessons.split import compiled, split
from bpe_lessons.text import to_bytes

MARK = "##"
UNKNOWN = "[UNK]"
LONGEST = 100  # characters of a word; a longer one is unknown

Pair = tuple[str, str]
Corpus = list[tuple[list[str], int]]  # rows: the symbols of one word, how often the word occurs


@dataclass(frozen=True)
class Step:
    """One round of training: what was joined, its score, and what else had that score."""

    pair: Pair
    token: str
    score: Fraction
    tied: list[Pair]  # every pair with that score, in the order first seen; `pair` is the first
    corpus: Corpus  # the rows after the joining


def start_symbols(word: str) -> list[str]:
    """The characters of a word, each but the first marked as a continuation.

    >>> start_symbols("low")
    ['l', '##o', '##w']
    """
    return [MARK + character if i else character for i, character in enumerate(word)]


def spell(words: Mapping[str, int]) -> Corpus:
    """Words with counts as rows of start symbols.

    Raises ValueError for a word that begins with ##, whose tokens would look like continuations.
    """
    for word in words:
        to_bytes(word)
        if word.startswith(MARK):
            raise ValueError(f"the word {word!r} begins with {MARK}; cut the text at punctuation first")
    return [(start_symbols(word), times) for word, times in words.items()]


def scores(corpus: Corpus, min_frequency: int = 1) -> dict[Pair, Fraction]:
    """The score of each pair of neighbours, in the order first seen: count(ab) / (count(a) count(b)).

    Every adjacent position counts. Pairs that occur less than `min_frequency` times are left out.

    >>> scores([(["l", "##o", "##w"], 5)])
    {('l', '##o'): Fraction(1, 5), ('##o', '##w'): Fraction(1, 5)}
    """
    singles: dict[str, int] = {}
    pairs: dict[Pair, int] = {}
    for symbols, times in corpus:
        for symbol in symbols:
            singles[symbol] = singles.get(symbol, 0) + times
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] = pairs.get(pair, 0) + times
    return {
        (left, right): Fraction(count, singles[left] * singles[right])
        for (left, right), count in pairs.items()
        if count >= min_frequency
    }


def joined(symbols: Sequence[str], pair: Pair) -> list[str]:
    """The symbols with every occurrence of the pair joined, left to right, without overlap.

    >>> joined(["w", "##i", "##d"], ("w", "##i"))
    ['wi', '##d']
    """
    result: list[str] = []
    for symbol in symbols:
        if result and (result[-1], symbol) == pair:
            result[-1] += symbol.removeprefix(MARK)
        else:
            result.append(symbol)
    return result


def train(corpus: Corpus, rounds: int, min_frequency: int = 1) -> Generator[Step, None, str]:
    """Yield a Step for each pair joined; the generator returns why it stopped.

    The best score wins, the pair seen first among equals. Scores are exact, and counted anew each round: the
    score of a pair can rise when another pair takes away symbols of its own.
    """
    for _ in range(rounds):
        ranked = scores(corpus, min_frequency)
        if not ranked:
            return "no pair left" if min_frequency < 2 else f"no pair occurs {min_frequency} times"
        best = max(ranked.values())
        tied = [pair for pair, score in ranked.items() if score == best]
        pair = tied[0]
        corpus = [(joined(symbols, pair), times) for symbols, times in corpus]
        yield Step(pair, "".join(joined(pair, pair)), best, tied, corpus)
    return "size reached"


def vocabulary_of(corpus: Corpus, steps: Iterable[Step]) -> dict[str, int]:
    """Token -> id: the unknown token, the start symbols as first seen, the tokens of the steps.

    Two steps can spell the same token (ab + c, a + bc); it has one id.
    """
    start = [symbol for symbols, _ in corpus for symbol in symbols]
    tokens = dict.fromkeys([UNKNOWN, *start, *(step.token for step in steps)])
    return {token: id for id, token in enumerate(tokens)}


def cut_word(word: str, vocabulary: Container[str], longest: int = LONGEST) -> list[str]:
    """The tokens of one word: from the left, always the longest that the vocabulary holds.

    Where none fits, the whole word is unknown; so is a word of more than `longest` characters.

    >>> cut_word("lower", {"low", "##e", "##er"})
    ['low', '##er']
    """
    if len(word) > longest:
        return [UNKNOWN]
    tokens, start = [], 0
    while start < len(word):
        mark = MARK if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocabulary), start)
        if end == start:
            return [UNKNOWN]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text as BERT cuts it: no white space, every Hanzi and punctuation mark alone."""
    blank = compiled(r"\s")
    return (piece for piece in split(text, "bert") if not blank.match(piece))


def encode(text: str, vocabulary: Mapping[str, int]) -> list[int]:
    """The ids of a text. Its white space is lost. Raises ValueError if the vocabulary lacks [UNK]."""
    if UNKNOWN not in vocabulary:
        raise ValueError(f"the vocabulary has no {UNKNOWN}")
    to_bytes(text)
    return [vocabulary[token] for word in words_of(text) for token in cut_word(word, vocabulary)]


def text_of(tokens: Iterable[str]) -> str:
    """The text of some tokens: ## joins on, a space goes before any other token but one of . , ? !

    A first token keeps its ##, for there is nothing to join it to.

    >>> text_of(["bak", "##er", "!"])
    'baker!'
    """
    text = ""
    for i, token in enumerate(tokens):
        continues = token.startswith((MARK, ".", ",", "?", "!"))
        text += token if i == 0 else token.removeprefix(MARK) if continues else " " + token
    return text


def decode(ids: Iterable[int], vocabulary: Mapping[str, int]) -> str:
    """The text of the ids, its spaces guessed. Raises ValueError for an id that the vocabulary lacks."""
    token_of = {id: token for token, id in vocabulary.items()}
    ids = list(ids)
    for id in ids:
        if id not in token_of:
            raise ValueError(f"no token has the id {id!r}; there are {len(token_of)}")
    return text_of(token_of[id] for id in ids)
