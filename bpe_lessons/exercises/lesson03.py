"""The exercises of lesson 03."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bpe_lessons import lesson
from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.lesson import Pair

Rules = Sequence[tuple[str, str]]  # spelled rules, in the order learned

WALKTHROUGH = [("e", "s"), ("es", "t"), ("l", "o"), ("lo", "w"), ("n", "e"), ("ne", "w"), ("new", "est")]
TEACHER = [("c", "h"), ("e", "r"), ("t", "e"), ("te", "a"), ("ch", "er"), ("tea", "cher")]
NUMBERED = {
    (101, 115): 256,  # es
    (256, 116): 257,  # est
    (108, 111): 258,  # lo
    (258, 119): 259,  # low
    (110, 101): 260,  # ne
    (260, 119): 261,  # new
    (261, 257): 262,  # newest
}
PARTS = {0: b"\xe4\xbd", 1: b"\xa0", 2: b"hi", 3: b"\xe5\xa5\xbd", 4: b"\xf0\x9f", 5: b"\x98\x80", 6: b" "}
OUTSIDE = (7, 999, -1)  # ids that PARTS does not hold


# 03-2: encode a word, everything spelled


def joined(symbols: list[str], left: str, right: str, places: int = -1) -> list[str]:
    """The symbols with this pair joined, left to right, at all places or at the first few."""
    result: list[str] = []
    for symbol in symbols:
        if places and symbol == right and result and result[-1] == left:
            result[-1] = left + right + "\0"  # closed: it cannot be the left part of the same rule
            places -= 1
        else:
            result.append(symbol)
    return [symbol.rstrip("\0") for symbol in result]


def spelled_in_order(word: str, rules: Rules) -> list[str]:
    symbols = list(word)
    for left, right in rules:
        symbols = joined(symbols, left, right)
    return symbols


def spelled_reversed(word: str, rules: Rules) -> list[str]:
    return spelled_in_order(word, list(rules)[::-1])


def spelled_first_place(word: str, rules: Rules) -> list[str]:
    symbols = list(word)
    for left, right in rules:
        symbols = joined(symbols, left, right, places=1)
    return symbols


def spelled_from_left(word: str, rules: Rules, back: bool = False) -> list[str]:
    symbols, i = list(word), 0
    while i + 1 < len(symbols):
        if (symbols[i], symbols[i + 1]) in rules:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0 if back else i
        else:
            i += 1
    return symbols


def spelled_longest(word: str, rules: Rules) -> list[str]:
    tokens, result = {left + right for left, right in rules} | set(word), []
    while word:
        longest = max((word[:n] for n in range(1, len(word) + 1) if word[:n] in tokens), key=len)
        result.append(longest)
        word = word[len(longest) :]
    return result


def spelled_without_last(word: str, rules: Rules) -> list[str]:
    symbols = list(word)
    for left, right in rules:
        result, i = [], 0
        while i < len(symbols) - 1:
            match = symbols[i : i + 2] == [left, right]
            result.append(left + right if match else symbols[i])
            i += 2 if match else 1
        symbols = result
    return symbols


def spelled_by_replace(word: str, rules: Rules) -> list[str]:
    text = " ".join(word)
    for left, right in rules:
        text = text.replace(f"{left} {right}", left + right)
    return text.split()


def fresh_word(source: random.Random) -> tuple[Any, ...]:
    """A word and the rules of a small training; no two rules spell the same token."""
    text = "".join(source.choices("abc", k=24))
    corpus, start = lesson.spell({text: 1}, "characters")
    vocabulary = {id: token.decode() for id, token in start.items()}
    rules: list[tuple[str, str]] = []
    for step in lesson.train(corpus, start, 7):
        left, right = (vocabulary[id] for id in step.pair)
        if left + right in vocabulary.values():
            break
        vocabulary[step.new_id] = left + right
        rules.append((left, right))
    return "".join(source.choices("abc", k=source.randint(4, 12))), rules


# 03-3: decode ids, some of which nobody knows


def tried(token: bytes) -> str:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return "\ufffd"


def reading(unknown: bytes | None, how: str) -> Callable[[list[int], Mapping[int, bytes]], str]:
    """A decoder: what it puts for an unknown id (None: it raises), and how it reads the bytes."""

    def read(ids: list[int], vocabulary: Mapping[int, bytes]) -> str:
        tokens = [vocabulary[id] if unknown is None else vocabulary.get(id, unknown) for id in ids]
        if how == "alone":
            return "".join(token.decode("utf-8", "replace") for token in tokens)
        if how == "tried":
            return "".join(map(tried, tokens))
        if how == "latin-1":
            return b"".join(tokens).decode("latin-1")
        return b"".join(tokens).decode("utf-8", how)

    return read


def reading_mistakes() -> list[Mistake]:
    """Each wrong reading, with every way to treat an unknown id."""
    named = {
        "alone": ("each token decoded alone", "a character can span two tokens; join the bytes first."),
        "tried": ("a try round each token", "a character can span two tokens; join the bytes first."),
        "ignore": (
            "bad bytes left out",
            "errors='replace' puts U+FFFD where errors='ignore' hides the loss.",
        ),
        "latin-1": ("Latin-1", "the bytes are UTF-8; Latin-1 makes every byte a character of its own."),
    }
    return [
        Mistake("an unknown id that stops it", reading(None, "replace"), "look it up with .get."),
        Mistake(
            "an unknown id left out",
            reading(b"", "replace"),
            "nothing shows the gap, and the bytes on its two sides can join.",
        ),
    ] + [
        Mistake(name, reading(unknown, how), says)
        for how, (name, says) in named.items()
        for unknown in (b"\xff", "\ufffd".encode(), b"", None)
    ]


def fresh_ids(source: random.Random) -> tuple[Any, ...]:
    ids = [*PARTS, *PARTS, *OUTSIDE]
    return source.choices(ids, k=source.randint(1, 8)), dict(PARTS)


# 03-4: the bytes of an unfinished character


def from_last_lead(data: bytes) -> tuple[int, int]:
    """The bytes from the last lead byte of a longer character to the end, and how many it announces."""
    for back in range(1, min(4, len(data)) + 1):
        lead = data[-back]
        if lead >= 0xC0:
            return back, 2 + (lead >= 0xE0) + (lead >= 0xF0)
        if lead < 0x80:
            break
    return 0, 0


def unfinished(data: bytes) -> int:
    there, announced = from_last_lead(data)
    return there if there < announced else 0


def all_tail_bytes(data: bytes) -> int:
    return next((n for n, byte in enumerate(reversed(data)) if not 0x80 <= byte < 0xC0), len(data))


def finished_too(data: bytes) -> int:
    return from_last_lead(data)[0]


def without_lead(data: bytes) -> int:
    return max(unfinished(data) - 1, 0)


def missing(data: bytes) -> int:
    there, announced = from_last_lead(data)
    return announced - there


def fresh_bytes(source: random.Random) -> tuple[Any, ...]:
    data = "".join(source.choices("aé你𠮷😀z", k=source.randint(1, 5))).encode()
    return (data[: source.randint(1, len(data))],)


# 03-5: encode with the first k rules


def first_rules(ids: list[int], rules: dict[Pair, int], k: int) -> list[int]:
    return lesson.encode(ids, dict(list(rules.items())[:k]))


def one_too_many(ids: list[int], rules: dict[Pair, int], k: int) -> list[int]:
    return first_rules(ids, rules, k + 1)


def last_rules(ids: list[int], rules: dict[Pair, int], k: int) -> list[int]:
    return lesson.encode(ids, dict(list(rules.items())[len(rules) - k :]))


def k_rounds(ids: list[int], rules: dict[Pair, int], k: int) -> list[int]:
    for _ in range(k):
        known = [pair for pair in zip(ids, ids[1:]) if pair in rules]
        if not known:
            break
        pair = min(known, key=rules.__getitem__)
        ids = lesson.merge(ids, pair, rules[pair])
    return ids


def id_below_k(ids: list[int], rules: dict[Pair, int], k: int) -> list[int]:
    return lesson.encode(ids, {pair: id for pair, id in rules.items() if id < k})


def fresh_rules(source: random.Random) -> tuple[Any, ...]:
    text = "".join(source.choices("abc", k=30))
    learned = lesson.learn(lesson.train(*lesson.spell({text: 1}), 8))
    rules = lesson.numbered(learned.merges)
    word = source.choices(b"abc", k=source.randint(4, 12))
    return word, rules, source.randint(0, len(rules))


EXERCISES: list[Exercise] = [
    Exercise(
        id="03-1",
        right=["low", "l", "i", "n", "es", "s"],
        hints=(
            "Take the rules one at a time, from the first to the last, and write the word anew after each.",
            "Rule 1 joins e and s. When rule 5 looks for n and e, that e is no longer there.",
        ),
        mistakes=[
            Mistake(
                "longest match",
                ["low", "l", "i", "ne", "s", "s"],
                "the e went to es, because that rule was learned before ne.",
            ),
            Mistake(
                "the rules in reverse order",
                ["lo", "w", "l", "i", "ne", "s", "s"],
                "start with the rule that was learned first.",
            ),
            Mistake(
                "a rule that does not exist",
                ["low", "l", "i", "n", "ess"],
                "es and s stand side by side, but no rule joins them.",
            ),
            Mistake(
                "stopping at the first rule that does not fit",
                ["l", "o", "w", "l", "i", "n", "es", "s"],
                "a rule without a place is passed over; the rules after it still count.",
            ),
        ],
    ),
    Exercise(
        id="03-2",
        right=spelled_in_order,
        cases=[
            ("newest", WALKTHROUGH),
            ("lowest", WALKTHROUGH),
            ("researcher", TEACHER),
            ("term", TEACHER),
            ("banana", [("a", "n")]),
            ("aaaaa", [("a", "a")]),
            ("lines", WALKTHROUGH),
            ("theth", [("h", "e"), ("t", "he"), ("t", "h")]),
            ("", TEACHER),
        ],
        fresh=fresh_word,
        hints=(
            "Two loops: the outer one over the rules, the inner one over the places of the word.",
            "For each rule build a new list: append left + right and go on two places where the pair stands, "
            "else append the symbol and go on one.",
        ),
        mistakes=[
            Mistake(
                "the rules in reverse order", spelled_reversed, "start with the rule that was learned first."
            ),
            Mistake(
                "each rule at its first place only",
                spelled_first_place,
                "one rule is applied at every place before the next rule gets its turn.",
            ),
            Mistake(
                "the last symbol lost",
                spelled_without_last,
                "the last symbol has no right neighbour and still belongs to the result.",
            ),
            Mistake(
                "unanchored string replace",
                spelled_by_replace,
                "the replaced text may be a part of a longer symbol; compare whole symbols.",
            ),
            Mistake(
                "greedy from the left",
                spelled_from_left,
                "the rules decide what is joined first, not the places; loop over the rules outside.",
            ),
            Mistake(
                "greedy from the left",
                lambda word, rules: spelled_from_left(word, rules, back=True),
                "the rules decide what is joined first, not the places; loop over the rules outside.",
            ),
            Mistake(
                "longest match",
                spelled_longest,
                "a longer token wins only if its rules come to it; apply the rules, not the vocabulary.",
            ),
        ],
    ),
    Exercise(
        id="03-3",
        right=reading(b"\xff", "replace"),
        cases=[
            ([0, 1, 3], PARTS),
            ([2, 6, 4, 5], PARTS),
            ([0, 2], PARTS),
            ([2, 7, 2], PARTS),
            ([0, 999, 1], PARTS),
            ([], PARTS),
        ],
        fresh=fresh_ids,
        hints=(
            "Which bytes can an unknown id stand for, so that decoding gives exactly one U+FFFD?",
            "The byte ff occurs in no UTF-8 text. vocabulary.get(id, b'\\xff') gives it for an unknown id.",
        ),
        mistakes=reading_mistakes(),
    ),
    Exercise(
        id="03-4",
        right=unfinished,
        cases=[
            (b"",),
            (b"low",),
            ("你".encode(),),
            ("你".encode()[:1],),
            ("low你".encode()[:5],),
            ("😀".encode()[:3],),
            ("你é".encode()[:4],),
        ],
        fresh=fresh_bytes,
        hints=(
            "Go back from the end to the last byte that is not a continuation byte (10 and six bits).",
            "If that byte is a lead byte, it says how many bytes its character has: 2 from c0, 3 from e0, "
            "4 from f0. Fewer are there: the answer is how many are there. Else it is 0.",
        ),
        mistakes=[
            Mistake(
                "all continuation bytes at the end",
                all_tail_bytes,
                "they may belong to a finished character; look at the lead byte before them.",
            ),
            Mistake(
                "a finished character counted too",
                finished_too,
                "compare with the number of bytes the lead byte announces; a whole character waits not.",
            ),
            Mistake(
                "the lead byte not counted",
                without_lead,
                "the lead byte waits too; nothing can be shown of it yet.",
            ),
            Mistake(
                "the bytes still missing", missing, "asked for are the bytes that are there and have to wait."
            ),
        ],
    ),
    Exercise(
        id="03-5",
        right=first_rules,
        cases=[
            (list(b"newest"), NUMBERED, 7),
            (list(b"newest"), NUMBERED, 2),
            (list(b"low"), NUMBERED, 2),
            (list(b"low"), NUMBERED, 3),
            (list(b"lowest"), NUMBERED, 0),
        ],
        fresh=fresh_rules,
        hints=(
            "Which rules may be used is decided before encoding starts.",
            "Make a smaller dict from list(rules.items())[:k] and give it to encode.",
        ),
        mistakes=[
            Mistake(
                "k rounds instead of k rules",
                k_rounds,
                "k says which rules exist, not how often merging goes on.",
            ),
            Mistake(
                "k ignored",
                lambda ids, rules, k: lesson.encode(ids, rules),
                "only the first k rules may be used.",
            ),
            Mistake("one rule too many", one_too_many, "ranks start at 0, so the first k are 0 to k - 1."),
            Mistake(
                "the last k rules", last_rules, "the earliest rules make the parts that later rules join."
            ),
            Mistake(
                "an id taken for a rank",
                id_below_k,
                "the new ids start behind the alphabet; the first rule has id 256 here, and rank 0.",
            ),
        ],
    ),
]
