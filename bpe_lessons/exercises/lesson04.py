"""The exercises of lesson 04."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.split import split

LINE = "WE'LL say  it's 42km\n"


# 04-2: the matches and the stretches between them


def kept(text: str, pattern: str) -> list[str]:
    return [part for part in kept_with_empty(text, pattern) if part]


def kept_with_empty(text: str, pattern: str) -> list[str]:
    parts, end = [], 0
    for match in re.finditer(pattern, text):
        parts += [text[end : match.start()], match.group()]
        end = match.end()
    return [*parts, text[end:]]


def found_only(text: str, pattern: str) -> list[Any]:
    return re.findall(pattern, text)


def matched_only(text: str, pattern: str) -> list[str]:
    return [match.group() for match in re.finditer(pattern, text)]


def between_only(text: str, pattern: str) -> list[str]:
    ends = [0, *(match.end() for match in re.finditer(pattern, text))]
    starts = [*(match.start() for match in re.finditer(pattern, text)), len(text)]
    return [text[end:start] for end, start in zip(ends, starts) if end < start]


def end_lost(text: str, pattern: str) -> list[str]:
    return [part for part in kept_with_empty(text, pattern)[:-1] if part]


def beginning_lost(text: str, pattern: str) -> list[str]:
    return [part for part in kept_with_empty(text, pattern)[1:] if part]


def beginning_lost_if_found(text: str, pattern: str) -> list[str]:
    return beginning_lost(text, pattern) if re.search(pattern, text) else [text] * bool(text)


def group_twice(text: str, pattern: str) -> list[Any]:
    return [part for part in re.split(f"({pattern})", text) if part]


def group_twice_with_empty(text: str, pattern: str) -> list[Any]:
    return re.split(f"({pattern})", text)


def letter_by_letter(text: str, pattern: str) -> list[str]:
    parts, end = [], 0
    for match in re.finditer(pattern, text):
        parts += [*text[end : match.start()], match.group()]
        end = match.end()
    return [*parts, *text[end:]]


EXPRESSIONS = ("[a-z]+", "[a-z]", r"\d+", "'(s|t)|[a-z]+", " ?[a-z]+", "a(b)?")


def fresh_text(source: random.Random) -> tuple[Any, ...]:
    text = "".join(source.choices("abst'  1!", k=source.randint(0, 14)))
    return text, source.choice(EXPRESSIONS)


# 04-3: digits in threes from the right


def digits_by(pattern: str) -> Callable[[str], list[str]]:
    """A function that cuts by a pattern and keeps what is between."""
    return lambda text: kept(text, pattern)


def threes_only(text: str) -> list[str]:
    return matched_only(text, r"\d{1,3}(?=(?:\d{3})*(?!\d))")


def with_commas(text: str) -> list[str]:
    grouped: list[str] = []
    for part in kept(text, r"\d+"):
        grouped += f"{int(part):,}".split(",") if part.isdigit() else [part]
    return grouped


def pieces_reversed(text: str) -> list[str]:
    """Cut the reversed text in threes from the left and forget to turn each piece, or the list, back."""
    grouped: list[str] = []
    for part in kept(text, r"\d+"):
        grouped += kept(part[::-1], r"\d{1,3}") if part.isdigit() else [part]
    return grouped


def digits_turned(text: str) -> list[str]:
    grouped: list[str] = []
    for part in kept(text, r"\d+"):
        grouped += kept(part[::-1], r"\d{1,3}")[::-1] if part.isdigit() else [part]
    return grouped


def list_turned(text: str) -> list[str]:
    grouped: list[str] = []
    for part in kept(text, r"\d+"):
        grouped += [three[::-1] for three in kept(part[::-1], r"\d{1,3}")] if part.isdigit() else [part]
    return grouped


FROM_RIGHT = r"\d{1,3}(?=(?:\d{3})*(?!\d))"


def fresh_digits(source: random.Random) -> tuple[Any, ...]:
    parts = (
        "".join(source.choices("0123456789", k=source.randint(1, 8)))
        + source.choice(["", " ", ".", " km ", "-"])
        for _ in range(source.randint(0, 3))
    )
    return ("".join(parts),)


# 04-4: the bytes of pieces and of types


def byte_sums(pieces: Sequence[str]) -> tuple[int, int]:
    return total(pieces), total(set(pieces))


def total(pieces: Any) -> int:
    return sum(len(piece.encode()) for piece in pieces)


def fresh_pieces(source: random.Random) -> tuple[Any, ...]:
    return (source.choices(["low", " low", "Low", "你好", "，", "é", " "], k=source.randint(0, 12)),)


# 04-5: a safe place to divide a text


def undivided(left: str, right: str) -> bool:
    return split(left) + split(right) == split(left + right)


def same_number(left: str, right: str) -> bool:
    return len(split(left)) + len(split(right)) == len(split(left + right))


def same_text(left: str, right: str) -> bool:
    return "".join(split(left) + split(right)) == left + right


def at_line_end(left: str, right: str) -> bool:
    return left.endswith("\n") or not left or not right


def at_line_end_only(left: str, right: str) -> bool:
    return left.endswith("\n")


def before_space_only(left: str, right: str) -> bool:
    return right.startswith(" ")


def before_space(left: str, right: str) -> bool:
    return right.startswith(" ") or not left or not right


def at_blank(left: str, right: str) -> bool:
    return left[-1:].isspace() or right[:1].isspace() or not left or not right


def fresh_halves(source: random.Random) -> tuple[Any, ...]:
    text = "".join(source.choices("ab1  \n'(我", k=source.randint(2, 9)))
    place = source.randint(0, len(text))
    return text[:place], text[place:]


EXERCISES: list[Exercise] = [
    Exercise(
        id="04-1",
        right=split(LINE, "gpt2"),
        hints=(
            "At each place try the six parts from the left. The contractions of gpt2 are in lower case.",
            "' and LL are two pieces. Of two spaces the first is a piece, the second goes with the word. "
            "Letters and digits never share a piece.",
        ),
        mistakes=[
            Mistake(
                "a contraction in capitals",
                ["WE", "'LL", " say", " ", " it", "'s", " 42", "km", "\n"],
                "gpt2 lists 's, 't, 'll and so on in lower case only; gpt4 ignores case.",
            ),
            Mistake(
                "the pattern of gpt4",
                split(LINE, "gpt4"),
                "gpt2 has no contractions in capitals, and lets a space go with digits.",
            ),
            Mistake(
                "both spaces in one piece",
                ["WE", "'", "LL", " say", "  ", "it", "'s", " 42", "km", "\n"],
                r"\s+(?!\S) stops one blank short, and the last space goes with the word.",
            ),
            Mistake(
                "both spaces with the word",
                ["WE", "'", "LL", " say", "  it", "'s", " 42", "km", "\n"],
                "` ?` takes one space; the one before it is a piece of its own.",
            ),
            Mistake(
                "digits and letters together",
                ["WE", "'", "LL", " say", " ", " it", "'s", " 42km", "\n"],
                r"that is \w, the pattern `simple`; gpt2 has a part for letters and a part for digits.",
            ),
            Mistake(
                "the line end lost",
                ["WE", "'", "LL", " say", " ", " it", "'s", " 42", "km"],
                "the pieces joined are the text, so the line end is a piece, too.",
            ),
            Mistake(
                "the spaces lost",
                ["WE", "'", "LL", "say", "it", "'s", "42", "km"],
                "the pieces joined are the text; a space goes with the word after it.",
            ),
            Mistake(
                "digits one by one",
                ["WE", "'", "LL", " say", " ", " it", "'s", " 4", "2", "km", "\n"],
                "gpt2 keeps a run of digits whole; Qwen takes them one by one.",
            ),
        ],
    ),
    Exercise(
        id="04-2",
        right=kept,
        cases=[
            ("ab cd!", "[a-z]+"),
            ("(ab)", "[a-z]+"),
            ("a1b", "[a-z]"),
            ("it's ok", "'(s|t)|[a-z]+"),
            ("12", "[a-z]+"),
            ("", "[a-z]+"),
        ],
        fresh=fresh_text,
        hints=(
            "re.finditer gives matches with .start() and .end(). Remember where the last one ended.",
            "For each match append text[end:match.start()] and match.group(), then set end. After the loop "
            "append text[end:]. Leave out what is empty.",
        ),
        mistakes=[
            Mistake(
                "findall",
                found_only,
                "it gives the matches, or the groups inside them, and drops what is between.",
            ),
            Mistake("the matches only", matched_only, "what the pattern passes over is a piece, too."),
            Mistake(
                "the stretches only",
                between_only,
                "re.split throws the matches away; here they are the pieces wanted most.",
            ),
            Mistake("empty pieces kept", kept_with_empty, "two matches side by side have nothing between."),
            Mistake(
                "the end lost", end_lost, "after the last match, text[end:] is still to be added to the list."
            ),
            Mistake(
                "the beginning lost",
                beginning_lost,
                "what stands before the first match is a piece, too.",
            ),
            Mistake(
                "the beginning lost",
                beginning_lost_if_found,
                "what stands before the first match is a piece, too.",
            ),
            Mistake(
                "separators twice",
                group_twice,
                "re.split gives every group of the pattern besides the whole match; finditer does not.",
            ),
            Mistake(
                "separators twice",
                group_twice_with_empty,
                "re.split gives every group of the pattern besides the whole match, and empty strings.",
            ),
            Mistake(
                "stretches taken apart",
                letter_by_letter,
                "`parts += string` adds its characters one by one; append the stretch as one piece.",
            ),
        ],
    ),
    Exercise(
        id="04-3",
        right=digits_by(FROM_RIGHT),
        cases=[("1234567",), ("123456",), ("pay 12345 now",), ("1234.5678",), ("12",), ("",)],
        fresh=fresh_digits,
        hints=(
            "One to three digits are a piece when the number of digits after them is 0, 3, 6 and so on. "
            "A lookahead, (?=...), can ask for that.",
            r"The expression is [0-9]{1,3}(?=([0-9]{3})*(?![0-9])). Give it to `cut`, compiled.",
        ),
        mistakes=[
            Mistake(
                "threes from the left",
                digits_by(r"\d{1,3}"),
                "that is the way of gpt4; the short group belongs at the front.",
            ),
            Mistake(
                "whole threes only",
                digits_by(r"\d{3}"),
                "the short group stands at the front of a number, not at its end.",
            ),
            Mistake("digits one by one", digits_by(r"\d"), "that is the way of Qwen; take up to three."),
            Mistake("numbers whole", digits_by(r"\d+"), "that is the way of gpt2; take up to three."),
            Mistake(
                "only at the end of the text",
                digits_by(r"\d{1,3}(?=(?:\d{3})*$)"),
                "$ is the end of the text; a number ends where no digit follows, (?![0-9]).",
            ),
            Mistake("the rest lost", threes_only, "what is between the numbers is a piece, too."),
            Mistake(
                "numbers instead of digits", with_commas, "a number written 007 has three digits; keep them."
            ),
            Mistake(
                "pieces left reversed", pieces_reversed, "turn each piece round again, and their order, too."
            ),
            Mistake("digits left reversed", digits_turned, "turn the digits of each piece round again."),
            Mistake("groups left reversed", list_turned, "the pieces of a number come out last one first."),
        ],
    ),
    Exercise(
        id="04-4",
        right=byte_sums,
        cases=[
            (["low", " low", " low"],),
            (["你好", "，", "你好"],),
            (["a", "b", "A"],),
            ([],),
        ],
        fresh=fresh_pieces,
        hints=(
            "A set holds every piece once. How many bytes has a piece?",
            "Add up len(piece.encode()) over pieces, then over set(pieces).",
        ),
        mistakes=[
            Mistake(
                "characters for bytes",
                lambda pieces: (sum(map(len, pieces)), sum(map(len, set(pieces)))),
                "the symbols of a trainer are bytes: len(piece.encode()).",
            ),
            Mistake(
                "pieces for bytes",
                lambda pieces: (len(pieces), len(set(pieces))),
                "asked for is how many bytes they have, not how many pieces there are.",
            ),
            Mistake(
                "distinct bytes",
                lambda pieces: (total(pieces), len(set("".join(pieces).encode()))),
                "the types are distinct pieces; their bytes may repeat.",
            ),
            Mistake(
                "the two the wrong way round",
                lambda pieces: byte_sums(pieces)[::-1],
                "first all pieces, then the types.",
            ),
            Mistake(
                "spaces stripped",
                lambda pieces: (total(pieces), total({piece.strip() for piece in pieces})),
                "low with and without its space are two types.",
            ),
            Mistake(
                "upper and lower case as one",
                lambda pieces: (total(pieces), total({piece.lower() for piece in pieces})),
                "low and Low are two types; nothing here ignores case.",
            ),
            Mistake(
                "pieces that come once",
                lambda pieces: (total(pieces), total(p for p in pieces if pieces.count(p) == 1)),
                "a type that occurs often counts as well, once.",
            ),
        ],
    ),
    Exercise(
        id="04-5",
        right=undivided,
        cases=[
            ("one", " two"),
            ("one ", "two"),
            ("on", "e"),
            ("one\n", "two"),
            ("one \n", "  \n two"),
            ("a  ", "b"),
            ("one", ""),
        ],
        fresh=fresh_halves,
        hints=(
            "No rule of thumb is needed. What do the pieces of both parts have to equal?",
            "Compare split(left) + split(right) with split(left + right).",
        ),
        mistakes=[
            Mistake(
                "the number of pieces compared",
                same_number,
                "`a␣␣` and `b` have as many pieces as the whole, and not the same ones.",
            ),
            Mistake(
                "the joined texts compared",
                same_text,
                "joined, pieces are always the text; compare the lists.",
            ),
            Mistake(
                "every line end taken for safe",
                at_line_end,
                "blanks after a line end can belong to its piece, and other places are safe, too.",
            ),
            Mistake(
                "every line end taken for safe",
                at_line_end_only,
                "blanks after a line end can belong to its piece, and other places are safe, too.",
            ),
            Mistake(
                "every space taken for safe",
                before_space,
                "several blanks can belong to one piece, and other places are safe, too.",
            ),
            Mistake(
                "every space taken for safe",
                before_space_only,
                "several blanks can belong to one piece, and other places are safe, too.",
            ),
            Mistake(
                "every blank taken for safe",
                at_blank,
                "a space goes with the word after it; a cut between the two changes the pieces.",
            ),
        ],
    ),
]
