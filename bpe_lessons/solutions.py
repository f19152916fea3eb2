"""One worked answer per exercise."""

from collections import Counter

from bpe_lessons.lesson import encode

# Lesson 01

answer_01_1 = 21  # d 1, é 2, j 1, à 2, space 1, three Hanzi 9, space 1, rocket 4


def answer_01_2(code_point: int) -> int:
    """The number of UTF-8 bytes of one code point."""
    if code_point < 0x80:
        return 1
    if code_point < 0x800:
        return 2
    return 3 if code_point < 0x10000 else 4


def answer_01_3(data: bytes) -> int:
    """The code point of the first character of UTF-8 bytes."""
    first = data[0]
    if first < 0x80:
        return first
    if first < 0xE0:
        number, size = first & 0x1F, 2
    elif first < 0xF0:
        number, size = first & 0x0F, 3
    else:
        number, size = first & 0x07, 4
    for byte in data[1:size]:
        number = number << 6 | byte & 0x3F
    return number


def answer_01_4(data: bytes) -> int:
    """The number of characters in UTF-8 bytes: every byte but the continuation bytes."""
    return sum(byte & 0xC0 != 0x80 for byte in data)


def answer_01_5(words: list[str], share: float) -> int:
    """The smallest number of distinct words that makes up at least `share` of the running words."""
    held = 0
    for entries, (_, times) in enumerate(Counter(words).most_common(), 1):
        held += times
        if held >= share * len(words):
            return entries
    return 0


# Lesson 02

answer_02_1 = 6 + 3


def answer_02_2(words: dict[str, int]) -> dict[tuple[str, str], int]:
    """A dict from each pair of letters to how often it occurs."""
    counts: Counter[tuple[str, str]] = Counter()
    for word, times in words.items():
        for left, right in zip(word, word[1:]):
            counts[left, right] += times
    return dict(counts)


def answer_02_3(symbols: list[str], left: str, right: str) -> list[str]:
    """The symbols with every left followed by right replaced by both as one."""
    merged: list[str] = []
    i = 0
    while i < len(symbols):
        if symbols[i : i + 2] == [left, right]:
            merged.append(left + right)
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def answer_02_4(vocab_size: int, special_tokens: int) -> int:
    """The number of merges that fill a vocabulary of this size."""
    taken = 256 + special_tokens
    if vocab_size < taken:
        raise ValueError(f"{vocab_size} is less than {taken}")
    return vocab_size - taken


def answer_02_5(corpus: dict[tuple[str, ...], int], left: str, right: str) -> dict[tuple[str, ...], int]:
    """The corpus, a dict from symbols to count, after one merge."""
    merged: Counter[tuple[str, ...]] = Counter()
    for symbols, times in corpus.items():
        merged[tuple(answer_02_3(list(symbols), left, right))] += times
    return dict(merged)


# Lesson 03

answer_03_1 = ["low", "l", "i", "n", "es", "s"]  # e goes to es, rule 1; rule 5, n + e, finds none


def answer_03_2(word: str, rules: list[tuple[str, str]]) -> list[str]:
    """The tokens of the word, as strings, after each rule had its turn."""
    symbols = list(word)
    for left, right in rules:
        merged, i = [], 0
        while i < len(symbols):
            if symbols[i : i + 2] == [left, right]:
                merged.append(left + right)
                i += 2
            else:
                merged.append(symbols[i])
                i += 1
        symbols = merged
    return symbols


def answer_03_3(ids: list[int], vocabulary: dict[int, bytes]) -> str:
    """The text of the ids; an unknown id and a bad stretch of bytes each give one U+FFFD."""
    data = b"".join(vocabulary.get(id, b"\xff") for id in ids)  # ff occurs in no UTF-8 text
    return data.decode("utf-8", errors="replace")


def answer_03_4(data: bytes) -> int:
    """How many bytes at the end belong to an unfinished character, 0 to 3."""
    for waiting in range(1, min(3, len(data)) + 1):
        byte = data[-waiting]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:
            announced = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return waiting if waiting < announced else 0
    return 0


def answer_03_5(ids: list[int], rules: dict[tuple[int, int], int], k: int) -> list[int]:
    """The ids after encoding with the k rules that were learned first."""
    return encode(ids, dict(list(rules.items())[:k]))
