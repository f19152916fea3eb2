"""One worked answer per exercise."""

import base64
import heapq
import re
from collections import Counter
from typing import Any

from bpe_lessons.glyphs import BYTES
from bpe_lessons.lesson import encode
from bpe_lessons.split import compiled, cut, split

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


# Lesson 04

answer_04_1 = ["WE", "'", "LL", " say", " ", " it", "'s", " 42", "km", "\n"]  # 'LL is no contraction here


def answer_04_2(text: str, pattern: str) -> list[str]:
    """The matches and the stretches between them; joined, they are the text."""
    parts, end = [], 0
    for match in re.finditer(pattern, text):
        parts += [text[end : match.start()], match.group()]
        end = match.end()
    return [part for part in [*parts, text[end:]] if part]


def answer_04_3(text: str) -> list[str]:
    """The pieces of a text, its digits in threes from the right."""
    return cut(text, compiled("[0-9]{1,3}(?=([0-9]{3})*(?![0-9]))"))


def answer_04_4(pieces: list[str]) -> tuple[int, int]:
    """The bytes of all pieces, and the bytes of the distinct ones."""
    return len("".join(pieces).encode()), len("".join(set(pieces)).encode())


def answer_04_5(left: str, right: str) -> bool:
    """Whether splitting both parts gives the pieces of the whole."""
    return split(left) + split(right) == split(left + right)


# Lesson 05

answer_05_1 = "Ãłĉ"  # c3 stays; a0 is number 66, U+0142; 09 is number 9, U+0109


def answer_05_2(data: bytes) -> str:
    """The glyphs of some bytes."""
    moved = [*range(0x21), *range(0x7F, 0xA1), 0xAD]
    return "".join(chr(0x100 + moved.index(byte)) if byte in moved else chr(byte) for byte in data)


def answer_05_3(entry: str) -> str:
    """The text of an entry; bytes that are no text become U+FFFD."""
    return bytes(BYTES[glyph] for glyph in entry).decode("utf-8", errors="replace")


def answer_05_4(line: bytes) -> tuple[bytes, int] | None:
    """The token and its rank, or None if the line is not `base64 rank`."""
    parts = line.split(b" ")
    if len(parts) != 2 or not parts[1].isdigit():
        return None
    try:
        return base64.b64decode(parts[0], validate=True), int(parts[1])
    except ValueError:
        return None


answer_05_5 = "休息"  # by ISO 8859-4, entry 100020; Latin-1 gives 休滯, which is no entry


# Lesson 13

answer_13_1 = ["-x", "-", "-y", "-"]  # what follows the second hyphen is a match, so it stays alone

answer_13_2 = [
    """{"normalizer": {"type": "NFC"},
 "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}""",
    """{"model": {"type": "BPE", "vocab": {"l": 0, "o": 1, "lo": 2}, "merges": ["l o"]}}""",
    """{"model": {"type": "BPE", "vocab": {"t": 0, "h": 1, "th": 2}, "merges": ["t h"]}}""",
]


def answer_13_3(vocab: dict[str, int], merges: list[tuple[str, str]], word: str) -> list[int]:
    """The ids of the word, the pair of the lowest rank merged first."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    tokens = list(word)
    while known := [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]:
        _, i = min(known)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
    return [vocab[token] for token in tokens]


def answer_13_4(ids: list[int], processor: dict[str, Any]) -> list[int]:
    """The ids with those of the template around them."""
    result: list[int] = []
    for item in processor["single"]:
        if "Sequence" in item:
            result += ids
        else:
            result += processor["special_tokens"][item["SpecialToken"]["id"]]["ids"]
    return result


answer_13_5 = [[5, 3], [6], [5, 3, 2]]  # false: t he m; true: the whole piece; theme is no token


# Lesson 12

answer_12_1 = [4, 3, 2, 1]  # n a, b a, ba na, na b


def answer_12_2(rows: list[str]) -> dict[str, set[int]]:
    """Each pair -> the set of the numbers of the rows that hold it."""
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for left, right in zip(row, row[1:]):
            found.setdefault(left + right, set()).add(number)
    return found


def answer_12_3(
    heap: list[tuple[int, str]], counts: dict[str, int]
) -> tuple[str | None, list[tuple[int, str]]]:
    """The best pair, or None, and the sorted list of the entries left."""
    while heap:
        negative, pair = heapq.heappop(heap)
        if counts[pair] == -negative:
            return pair, sorted(heap)
        if counts[pair]:
            heapq.heappush(heap, (-counts[pair], pair))
    return None, []


def answer_12_4(text: str, limit: int) -> int:
    """The last safe position that is at most `limit`, or 0."""
    for place in range(min(limit, len(text) - 1), 0, -1):
        if text[place] == " " and text[place - 1].isascii() and text[place - 1].isalpha():
            return place
    return 0


def answer_12_5(places: list[int]) -> list[int]:
    """The places of a pair of equal symbols that a merge uses."""
    used: list[int] = []
    for place in places:
        if not used or used[-1] != place - 1:
            used.append(place)
    return used
