"""Byte pair encoding once more, from its definitions: slow, literal, and without a line of the package.

A row of symbols is a Python string in which the symbol of id n is the character U+E000 + n. To merge a pair
is then `str.replace`, which goes from left to right and never overlaps, as the definition says.
"""

import unicodedata
from collections import Counter

FIRST = 0xE000  # the character of id 0: private, so no text holds it by meaning


def row(ids):
    """Ids as a row of symbols."""
    return "".join(chr(FIRST + id) for id in ids)


def ids(symbols):
    """A row of symbols as ids."""
    return [ord(symbol) - FIRST for symbol in symbols]


# The start of a training


def byte_order(alphabet):
    """The 256 bytes in the order of their ids."""
    if alphabet == "bytes":
        return list(range(256))
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    return printable + [byte for byte in range(256) if byte not in printable]


def labels(piece, alphabet, marker="", glued=False):
    """The start symbols of a piece, each as its bytes and what it is: plain, marker or glued."""
    parts = [c.encode() for c in piece] if alphabet == "characters" else [bytes([b]) for b in piece.encode()]
    found = [(part, "plain") for part in parts]
    if marker and not glued:
        return [*found, (marker.encode(), "marker")]
    if marker and found:
        return [*found[:-1], (parts[-1] + marker.encode(), "glued")]
    return [*found, *([(marker.encode(), "marker")] if marker else [])]


def spell(pieces, alphabet="bytes", marker="", glued=False):
    """Pieces with counts as rows (symbols, count), and the bytes of each start symbol in the order of ids.

    Characters are in code point order, the marker among them and after a character spelled like it; glued
    symbols come last. Bytes are all there in their order, and what is no byte comes last.
    """
    used = {label for piece in pieces for label in labels(piece, alphabet, marker, glued)}
    plain = sorted(label for label in used if label[1] == "plain")
    marks = sorted(label for label in used if label[1] == "marker")
    ends = sorted(label for label in used if label[1] == "glued")
    if alphabet == "characters":
        order = sorted(plain + marks, key=lambda label: (label[0], label[1] == "marker")) + ends
    else:
        order = [(bytes([byte]), "plain") for byte in byte_order(alphabet)] + marks + ends
    rows = [
        (row(order.index(label) for label in labels(piece, alphabet, marker, glued)), count)
        for piece, count in pieces.items()
    ]
    return rows, [spelling for spelling, _ in order]


# Training


def train(rows, spellings, rounds, ties, min_frequency=1):
    """The merges [(left id, right id), ...], the count of each, the rows at the end, and every spelling."""
    spellings, merges, counts = list(spellings), [], []
    while len(merges) < rounds:
        places = [
            (r[i : i + 2], n) for r, n in rows for i in range(len(r) - 1)
        ]  # every adjacent place counts
        count = Counter()
        for pair, n in places:
            count[pair] += n
        best = max(count.values(), default=0)
        if not count or best < min_frequency:
            break
        tied = [pair for pair in count if count[pair] == best]
        if ties == "first":  # the pair that stands nearest the beginning
            winner = next(pair for pair, _ in places if pair in tied)
        elif ties == "smallest":  # the smallest ids, left before right
            winner = sorted(tied)[0]
        elif ties == "greatest":  # the greatest bytes, left before right; spelled alike, the greatest ids
            winner = sorted(tied, key=lambda pair: ([spellings[id] for id in ids(pair)], pair))[-1]
        rows = [(r.replace(winner, row([len(spellings)])), n) for r, n in rows]
        left, right = ids(winner)
        spellings.append(spellings[left] + spellings[right])
        merges.append((left, right))
        counts.append(best)
    return merges, counts, rows, spellings


# Encoding


def encode(symbols, merges, start=256):
    """The ids of a row of start symbols: every merge made everywhere, in the order learned."""
    for new_id, pair in enumerate(merges, start):
        symbols = symbols.replace(row(pair), row([new_id]))
    return ids(symbols)


def encode_text(text, merges, alphabet, pieces, special=None):
    """The ids of a text: cut at its special tokens (token -> id), then into pieces, then merged."""
    order, found = byte_order(alphabet), []
    for part in cut(text, special or {}):
        if special and part in special:
            found.append(special[part])
        else:
            for piece in pieces(part):
                found += encode(row(order.index(byte) for byte in piece.encode()), merges)
    return found


def cut(text, tokens):
    """The text cut at some tokens: at each place the longest one that begins there, else go on."""
    parts, i, begin = [], 0, 0
    while i < len(text):
        here = [token for token in tokens if text.startswith(token, i)]
        if not here:
            i += 1
            continue
        longest = max(here, key=len)
        parts += [text[begin:i], longest]
        begin = i = i + len(longest)
    return [part for part in [*parts, text[begin:]] if part]


# Pieces, without a regular expression

WHITE = {*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F}
WHITE.add(0x3000)  # the property White_Space of Unicode
ENDINGS = ("s", "d", "m", "t", "ll", "ve", "re")


def is_white(character):
    return ord(character) in WHITE


def is_letter(character):
    return unicodedata.category(character)[0] == "L"


def is_number(character):
    return unicodedata.category(character)[0] == "N"


def is_other(character):
    return not (is_white(character) or is_letter(character) or is_number(character))


def run(text, i, belongs):
    """Where the run of such characters that begins at i ends; i itself when there is none."""
    while i < len(text) and belongs(text[i]):
        i += 1
    return i


def after(text, i, belongs, before=" "):
    """The end of such a run with an optional character before it (one of a string, or by a test), or i."""
    allowed = before if callable(before) else before.__contains__
    if allowed(text[i]) and (end := run(text, i + 1, belongs)) > i + 1:
        return end
    return run(text, i, belongs)


def blanks(text, i):
    """The end of a run of white space; its last character is left to the word after it, unless alone."""
    end = run(text, i, is_white)
    return end if end == len(text) or end - i < 2 else end - 1


def contraction(text, i, fold):
    for ending in ENDINGS:
        tail = text[i + 1 : i + 1 + len(ending)]
        if text[i] == "'" and (tail.casefold() if fold else tail) == ending:
            return i + 1 + len(ending)
    return i


def gpt2(text):
    """The pieces of GPT-2: contractions; letters, numbers or other signs after an optional space; blanks."""
    pieces, i = [], 0
    while i < len(text):
        ends = [contraction(text, i, fold=False)]
        ends += [after(text, i, belongs) for belongs in (is_letter, is_number, is_other)]
        ends += [blanks(text, i)]
        end = next(end for end in ends if end > i)
        pieces.append(text[i:end])
        i = end
    return pieces


def gpt4(text):
    """The pieces of GPT-4: any case in contractions, any sign before letters, numbers by three, line ends."""
    pieces, i = [], 0
    while i < len(text):
        others = after(text, i, is_other)
        white = run(text, i, is_white)
        ends = [
            contraction(text, i, fold=True),
            after(text, i, is_letter, lambda c: c not in "\r\n" and not is_letter(c) and not is_number(c)),
            min(run(text, i, is_number), i + 3),
            run(text, others, "\r\n".__contains__) if others > i else i,
            i + max(text[i:white].rfind("\r"), text[i:white].rfind("\n")) + 1,
            blanks(text, i),
        ]
        end = next(end for end in ends if end > i)
        pieces.append(text[i:end])
        i = end
    return pieces


def counted(pieces):
    """How often each piece occurs, in the order first seen."""
    return {piece: pieces.count(piece) for piece in dict.fromkeys(pieces)}
