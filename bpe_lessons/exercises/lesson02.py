"""The exercises of lesson 02: count, merge, size."""

from random import Random

from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.lesson import merge

Words = dict[str, int]
Row = tuple[str, ...]


def pair_counts(words: Words) -> dict[tuple[str, str], int]:
    """How often each pair of letters occurs in words with counts."""
    counts: dict[tuple[str, str], int] = {}
    for word, count in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def _counts_each_word_once(words: Words) -> dict[tuple[str, str], int]:
    return pair_counts(dict.fromkeys(words, 1))


def _overwrites(words: Words) -> dict[tuple[str, str], int]:
    return {pair: count for word, count in words.items() for pair in zip(word, word[1:])}


def _counts_across_words(words: Words) -> dict[tuple[str, str], int]:
    return pair_counts({"".join(word * count for word, count in words.items()): 1})


def _skips_overlaps(words: Words) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for word, count in words.items():
        for pair in dict.fromkeys(zip(word, word[1:])):
            counts[pair] = counts.get(pair, 0) + count * word.count("".join(pair))
    return counts


def _adds_to_nothing(words: Words) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for word, count in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += count
    return counts


def _counts_a_pair_once_a_word(words: Words) -> dict[tuple[str, str], int]:
    counts: dict[tuple[str, str], int] = {}
    for word, count in words.items():
        for pair in set(zip(word, word[1:])):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def merge_symbols(symbols: list[str], left: str, right: str) -> list[str]:
    """The symbols with every left followed by right replaced by the two as one."""
    numbers: dict[str, int] = {}
    for symbol in [*symbols, left, right]:
        numbers.setdefault(symbol, len(numbers))
    names = [*numbers, left + right]
    merged = merge([numbers[s] for s in symbols], (numbers[left], numbers[right]), len(numbers))
    return [names[number] for number in merged]


def _replaces_in_the_spelling(symbols: list[str], left: str, right: str) -> list[str]:
    return " ".join(symbols).replace(f"{left} {right}", left + right).split()


def _from_the_right(symbols: list[str], left: str, right: str) -> list[str]:
    return [
        symbol[::-1] for symbol in merge_symbols([s[::-1] for s in symbols[::-1]], right[::-1], left[::-1])
    ][::-1]


def _only_the_first(symbols: list[str], left: str, right: str) -> list[str]:
    for i in range(len(symbols) - 1):
        if symbols[i : i + 2] == [left, right]:
            return [*symbols[:i], left + right, *symbols[i + 2 :]]
    return symbols


def _keeps_the_right_half(symbols: list[str], left: str, right: str) -> list[str]:
    merged = []
    for i, symbol in enumerate(symbols):
        merged.append(left + right if symbols[i : i + 2] == [left, right] else symbol)
    return merged


def _loses_the_last_symbol(symbols: list[str], left: str, right: str) -> list[str]:
    merged, i = [], 0
    while i < len(symbols) - 1:
        match = symbols[i : i + 2] == [left, right]
        merged.append(left + right if match else symbols[i])
        i += 2 if match else 1
    return merged


def merges_for(vocab_size: int, special_tokens: int) -> int:
    """The number of merges that fill a vocabulary on bytes. Raises ValueError below the floor."""
    merges = vocab_size - 256 - special_tokens
    if merges < 0:
        raise ValueError(f"vocab_size {vocab_size} is below {256 + special_tokens}")
    return merges


def _without_floor(vocab_size: int, special_tokens: int) -> int:
    return vocab_size - 256 - special_tokens


def _floor_of_bytes(vocab_size: int, special_tokens: int) -> int:
    return merges_for(vocab_size, 0) - special_tokens


def _forgets_special_tokens(vocab_size: int, special_tokens: int) -> int:
    return merges_for(vocab_size, 0)


def _counts_bytes_from_0_to_255(vocab_size: int, special_tokens: int) -> int:
    return merges_for(vocab_size + 1, special_tokens)


def _takes_size_for_merges(vocab_size: int, special_tokens: int) -> int:
    return vocab_size


def merge_all(corpus: dict[Row, int], left: str, right: str) -> dict[Row, int]:
    """The corpus after one merge; rows that become alike add up."""
    merged: dict[Row, int] = {}
    for row, count in corpus.items():
        after = tuple(merge_symbols(list(row), left, right))
        merged[after] = merged.get(after, 0) + count
    return merged


def _overwrites_rows(corpus: dict[Row, int], left: str, right: str) -> dict[Row, int]:
    return {tuple(merge_symbols(list(row), left, right)): count for row, count in corpus.items()}


def _replaces_in_spelled_rows(corpus: dict[Row, int], left: str, right: str) -> dict[Row, int]:
    merged: dict[Row, int] = {}
    for row, count in corpus.items():
        after = tuple(_replaces_in_the_spelling(list(row), left, right))
        merged[after] = merged.get(after, 0) + count
    return merged


def _fresh_words(random: Random) -> tuple[Words]:
    words = ("".join(random.choices("abc", k=random.randint(1, 7))) for _ in range(random.randint(1, 4)))
    return ({word: random.randint(1, 9) for word in words},)


def _fresh_symbols(random: Random) -> tuple[list[str], str, str]:
    symbols = random.choices(["a", "b", "a", "b", "ab", "xa"], k=random.randint(0, 12))
    return symbols, random.choice("ab"), random.choice("ab")


def _fresh_size(random: Random) -> tuple[int, int]:
    special = random.randint(0, 9)
    near = 256 + special + random.randint(-3, 3)
    return random.choice([near, random.randint(200, 2000)]), special


def _fresh_corpus(random: Random) -> tuple[dict[Row, int], str, str]:
    rows = [tuple(random.choices(["a", "b", "ab"], k=random.randint(1, 3))) for _ in range(6)]
    return {row: random.randint(1, 9) for row in rows}, random.choice("ab"), random.choice("ab")


EXERCISES = [
    Exercise(
        "02-1",
        right=9,
        mistakes=[
            Mistake(
                "counting words once", 2, "newest occurs 6 times and widest 3 times, and each time it counts."
            ),
            Mistake("looking at newest alone", 6, "widest ends in t and the marker as well."),
            Mistake("looking at widest alone", 3, "newest ends in t and the marker as well."),
        ],
        hints=(
            "Which of the four words end in t?",
            "Add how often newest occurs to how often widest occurs.",
        ),
    ),
    Exercise(
        "02-2",
        right=pair_counts,
        cases=(({"low": 5, "lower": 2},), ({"aaa": 2},), ({},)),
        fresh=_fresh_words,
        mistakes=[
            Mistake(
                "counting each word once",
                _counts_each_word_once,
                "a pair counts as often as its word occurs.",
            ),
            Mistake(
                "overwritten counts",
                _overwrites,
                "a pair may be in several words, or twice in one: add, do not assign.",
            ),
            Mistake(
                "pairs across words",
                _counts_across_words,
                "the last letter of a word and the first of the next are no pair.",
            ),
            Mistake(
                "adding to nothing",
                _adds_to_nothing,
                "the first time there is nothing to add to: use counts.get(pair, 0).",
            ),
            Mistake(
                "counting a pair once a word",
                _counts_a_pair_once_a_word,
                "a pair may stand twice in one word; count each place.",
            ),
            Mistake(
                "non-overlapping counts",
                _skips_overlaps,
                "every adjacent position counts: aaa holds two pairs.",
            ),
        ],
        hints=(
            "zip(word, word[1:]) gives the neighbours of one word.",
            "For each pair: counts[pair] = counts.get(pair, 0) + the count of the word.",
        ),
    ),
    Exercise(
        "02-3",
        right=merge_symbols,
        cases=(
            (["n", "e", "w", "e", "s", "t"], "e", "s"),
            (["a", "a", "a"], "a", "a"),
            (["ca", "t", "c", "at"], "a", "t"),
        ),
        fresh=_fresh_symbols,
        mistakes=[
            Mistake(
                "unanchored string replace",
                _replaces_in_the_spelling,
                "replacing in the joined text also finds the end of one symbol; compare whole symbols.",
            ),
            Mistake(
                "merging from the right",
                _from_the_right,
                "a merge reads from left to right: a a a becomes aa a.",
            ),
            Mistake("stopping after the first", _only_the_first, "every occurrence of the pair is replaced."),
            Mistake(
                "the last symbol lost",
                _loses_the_last_symbol,
                "the last symbol has no right neighbour and still belongs to the result.",
            ),
            Mistake(
                "using a symbol twice",
                _keeps_the_right_half,
                "after a match move on by two: its right half is used up.",
            ),
        ],
        hints=(
            "Walk with an index i and look at symbols[i] and symbols[i + 1].",
            "On a match append left + right and add 2 to i; otherwise append symbols[i] and add 1.",
        ),
    ),
    Exercise(
        "02-4",
        right=merges_for,
        cases=((400, 0), (1000, 1), (256, 0), (255, 0), (256, 1)),
        fresh=_fresh_size,
        mistakes=[
            Mistake(
                "no floor", _without_floor, "a negative number of merges cannot be learned; raise ValueError."
            ),
            Mistake(
                "a floor without the special tokens",
                _floor_of_bytes,
                "the floor is 256 plus the special tokens.",
            ),
            Mistake("forgotten special tokens", _forgets_special_tokens, "special tokens take entries too."),
            Mistake(
                "off by one", _counts_bytes_from_0_to_255, "the bytes 0 to 255 are 256 entries, not 255."
            ),
            Mistake(
                "taking the size for the merges",
                _takes_size_for_merges,
                "the 256 bytes are entries from the start.",
            ),
        ],
        hints=(
            "Which entries does the vocabulary have before the first merge?",
            "vocab_size - 256 - special_tokens, and ValueError below 0.",
        ),
    ),
    Exercise(
        "02-5",
        right=merge_all,
        cases=(({("a", "b"): 2, ("ab",): 3}, "a", "b"), ({("l", "o", "w"): 5}, "l", "o")),
        fresh=_fresh_corpus,
        mistakes=[
            Mistake(
                "overwritten counts", _overwrites_rows, "two rows may become alike; their counts add up."
            ),
            Mistake(
                "unanchored string replace",
                _replaces_in_spelled_rows,
                "the replaced text may be a part of a longer symbol; compare whole symbols.",
            ),
        ],
        hints=(
            "Your merge_symbols does one row. What if the result is already a key?",
            "after = tuple(merge_symbols(list(row), left, right)), then add: merged.get(after, 0) + count.",
        ),
    ),
]
