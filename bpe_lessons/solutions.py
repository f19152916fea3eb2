"""One worked answer per exercise."""

import base64
import heapq
import math
import re
from collections import Counter
from typing import Any

from bpe_lessons.glyphs import BYTES
from bpe_lessons.lesson import count_pairs, encode, merge, spell, train
from bpe_lessons.split import compiled, cut, split
from bpe_lessons.walkthrough import Rules

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


# Lesson 06

answer_06_1 = [24_576, 12_288]  # 8,192 x 3.0 and 8,192 x 1.5


def answer_06_2(ids: list[int], vocabulary: dict[int, bytes]) -> float:
    """The mean length of the tokens, in bytes."""
    if not ids:
        raise ValueError("without tokens there is no mean length")
    return sum(len(vocabulary[id]) for id in ids) / len(ids)


def answer_06_3(rows: int, width: int, tied: bool, body: int) -> float:
    """The share of the tables in all parameters, 0 to 1."""
    tables = rows * width if tied else 2 * rows * width
    return round(tables / (body + tables), 4)


def answer_06_4(curve: dict[int, float], body: int, width: int) -> int:
    """The size at which a byte of text costs least."""
    costs = {size: (body + size * width) / per_token for size, per_token in curve.items()}
    return min(costs, key=costs.__getitem__)


def answer_06_5(mean_loss: float, tokens: int, text: str) -> float:
    """The bits for each byte of the text."""
    if not text:
        raise ValueError("an empty text has no bits per byte")
    return round(mean_loss * tokens / math.log(2) / len(text.encode()), 4)


# Lesson 07

answer_07_1 = 1  # s = 3 / 2, and 1,000,000 / 10,000 ** 1.5 = 1


def answer_07_2(counts: dict[str, int]) -> list[tuple[int, int]]:
    """For each different count the number of words with at least that count, and the count; falling."""
    falling = sorted((count for count in counts.values() if count), reverse=True)
    last_rank = {count: rank for rank, count in enumerate(falling, 1)}
    return [(rank, count) for count, rank in last_rank.items()]


def answer_07_3(counts: list[int]) -> list[tuple[int, int, int]]:
    """The bins of ranks 1-2, 3-8, 9-26, ...: first rank, last rank, sum of the counts."""
    bins = []
    start = 1
    while start <= len(counts):
        last = min(3 * start - 1, len(counts))
        bins.append((start, last, sum(counts[start - 1 : last])))
        start *= 3
    return bins


def answer_07_4(counts: dict[str, int], left: str, right: str, times: int) -> dict[str, int]:
    """The counts of all symbols after a pair was merged in so many places."""
    after = dict(counts)
    for part in (left, right):
        after[part] -= times
    after[left + right] = times
    return after


# Lesson 08

answer_08_1 = ("nm", "m")  # part by part: nm is greater than n, which it continues


def answer_08_2(tied: list[tuple[str, str]]) -> tuple[str, str]:
    """The pair whose bytes are greatest, in glyphs."""
    return max(tied, key=lambda pair: [bytes(BYTES[glyph] for glyph in part) for part in pair])


def answer_08_3(tied: list[tuple[str, str]]) -> tuple[str, str]:
    """The pair that SentencePiece's rule takes."""
    return min(tied, key=lambda pair: (len(pair[0] + pair[1]), pair[0] + pair[1]))


def answer_08_4(words: dict[str, int], merges: int) -> int:
    """How many rounds of the training are led by more than one pair."""
    return sum(len(step.tied) > 1 for step in train(*spell(words, "characters"), merges))


def answer_08_5(words: dict[str, int], merges: int) -> list[str]:
    """The tokens that every way of breaking ties makes, sorted."""
    rows, start = spell(words, "characters")
    roads = [(rows, start)]
    for _ in range(merges):
        after = []
        for rows, made in roads:
            counts = count_pairs(rows)
            best = max(counts.values(), default=0)
            for pair in [pair for pair in counts if counts[pair] == best]:
                longer = made | {len(made): made[pair[0]] + made[pair[1]]}
                after.append(([(merge(ids, pair, len(made)), n) for ids, n in rows], longer))
            if not counts:
                after.append((rows, made))
        roads = after
    ends = [{made[id].decode() for id in range(len(start), len(made))} for _, made in roads]
    return sorted(set.intersection(*ends))


# Lesson 09

answer_09_1 = (40 + 5) + (8 + 5) + (25 + 5) + (12 + 5) + 3


def answer_09_2(text: str, special: list[str], allowed: list[str]) -> list[str]:
    """The text and the allowed special tokens, in order; ValueError for any other special token."""
    longest_first = sorted(special, key=len, reverse=True)
    parts = re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)
    for token in parts[1::2]:
        if token not in allowed:
            raise ValueError(f"the text spells {token!r}")
    return [part for part in parts if part]


def answer_09_3(messages: list[tuple[str, str]]) -> str:
    """The conversation as Llama-3 reads it, with the opening of the answer."""
    text = "<|begin_of_text|>"
    for role, content in messages:
        text += f"<|start_header_id|>{role}<|end_header_id|>\n\n{content.strip()}<|eot_id|>"
    return text + "<|start_header_id|>assistant<|end_header_id|>\n\n"


def answer_09_4(stretch: list[tuple[str, bytes]], cut: list[bytes]) -> list[str]:
    """For each token the kind of the part that its bytes come from."""
    kinds = [kind for kind, data in stretch for _ in data]  # one for each byte
    found = []
    for token in cut:
        found.append("text" if "text" in kinds[: len(token)] else "content")
        kinds = kinds[len(token) :]
    return found


def answer_09_5(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    """The tokens that the model reads in n turns together."""
    prompts = [system + 5 + t * (question + 5) + (t - 1) * (answer + 5) + 3 for t in range(1, n + 1)]
    return prompts[-1] if cached else sum(prompts)


# Lesson 10

answer_10_1 = [["987", "65"], ["234", "56"], ["122", "221"]]


def answer_10_2(ids: list[int], vocabulary: dict[int, bytes], letter: str) -> int:
    """How many times the text of the ids holds the letter."""
    return b"".join(vocabulary[id] for id in ids).count(letter.encode())


def answer_10_3(number: list[str], total: list[str]) -> list[list[str]]:
    """For each token of the sum, the tokens of the number that share a column with it."""
    owners = [index for index in reversed(range(len(number))) for _ in number[index]]
    high, found = sum(map(len, total)), []
    for token in total:
        low = high - len(token)
        found.append([number[index] for index in sorted(set(owners[low:high]))])
        high = low
    return found


def answer_10_4(prompt: list[int], text: list[int]) -> int:
    """How many ids must go from the end of the prompt until the rest begins the text."""
    kept = len(prompt)
    while prompt[:kept] != text[:kept]:
        kept -= 1
    return len(prompt) - kept


# Lesson 11

answer_11_1 = ["##b", "##s"]  # 6 / (19 x 6) = 1/19; every other pair has 1/33


def answer_11_2(block: bytes, pair: bytes) -> int:
    """The bytes that replacing the pair saves, its entry counted."""
    return block.count(pair) - 3


def answer_11_3(first: tuple[int, int, int], second: tuple[int, int, int]) -> bool:
    """Whether the first pair's score is strictly higher."""
    pair, left, right = first
    other, other_left, other_right = second
    return pair * other_left * other_right > other * left * right


answer_11_4 = [4, 2, 4]  # ab is cut as ab with 2/3, as a b with 1/3; the two words a come on top


def answer_11_5(word: str, vocabulary: list[str]) -> int | None:
    """The least number of tokens of the word, or None."""
    least: list[int | None] = [0]
    for end in range(1, len(word) + 1):
        ways = []
        for start, tokens in enumerate(least):
            piece = ("##" if start else "") + word[start:end]
            if tokens is not None and piece in vocabulary:
                ways.append(tokens + 1)
        least.append(min(ways, default=None))
    return least[-1]


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


# Lesson 14

answer_14_1 = ["wrong", "holds", "holds", "holds", "wrong"]  # four merges; doubling: three merges

answer_14_2 = ("plain", "first")


def answer_14_3(words: dict[str, int], form: str, token: str) -> int:
    """The number of the merge that makes the token, or 0."""
    steps, vocabulary = Rules(form).run(words, 1000)
    numbers = [n for n, step in enumerate(steps, 1) if vocabulary[step.new_id] == token.encode()]
    return min(numbers, default=0)


def answer_14_4(words: dict[str, int]) -> list[int]:
    """The count of the first pair merged, and the symbols saved by merging it."""
    rows, start = spell(words, "characters")
    for step in train(rows, start, 1):
        before, after = (sum(len(ids) * n for ids, n in corpus) for corpus in (rows, step.corpus))
        return [step.count, before - after]
    return [0, 0]
