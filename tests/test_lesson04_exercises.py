"""The exercises of lesson 04: right answers pass, classic mistakes are named, shortcuts fail."""

import re

import pytest

from bpe_lessons import check, show
from bpe_lessons.exercises import find
from bpe_lessons.split import PATTERNS, split

IDS = ["04-1", "04-2", "04-3", "04-4", "04-5"]


def test_the_predicted_line_is_what_the_pattern_gives():
    assert find("04-1").right == split("WE'LL say  it's 42km\n", "gpt2")
    assert "pattern of gpt4" in check("04-1", split("WE'LL say  it's 42km\n", "gpt4")).text
    capitals = ["WE", "'LL", " say", " ", " it", "'s", " 42", "km", "\n"]
    assert "in capitals" in check("04-1", capitals).text
    without = PATTERNS["gpt2"][0].replace(r"\s+(?!\S)|", "")
    assert "both spaces in one piece" in check("04-1", split("WE'LL say  it's 42km\n", without)).text
    assert "together" in check("04-1", split("WE'LL say  it's 42km\n", "simple")).text
    assert "spaces lost" in check("04-1", ["WE", "'", "LL", "say", "it", "'s", "42", "km"]).text


def test_the_edges_of_the_picture_line_up():
    picture = show.cuts({"a": ["x<", "你 ", "e\u0301"], "long": ["x", "<你", " e", "\u0301"]})
    assert picture.text == "a    |x <|你 ␣|e ◌\u0301|\nlong |x|< 你|␣ e|◌\u0301|"
    assert picture.html.count("<td") == 12 and picture.html.count(">&lt;<") == 2
    for cell in re.findall(r"<td[^>]*>", picture.html):
        assert "background:" in cell and "color:" in cell
    assert show.cuts({"none": []}).text == "none"


# Right answers, written in another way than the solutions.


def keeping_by_search(text, pattern):
    pieces = []
    while text:
        match = re.search(pattern, text)
        if not match or not match.group():
            return [*pieces, text]
        if match.start():
            pieces.append(text[: match.start()])
        pieces.append(match.group())
        text = text[match.end() :]
    return pieces


def thousands_by_loop(text):
    pieces = []
    for is_digit, part in ((part.isdigit(), part) for part in re.split("([0-9]+)", text) if part):
        if is_digit:
            front = len(part) % 3
            pieces += [part[:front]] * bool(front)
            pieces += [part[i : i + 3] for i in range(front, len(part), 3)]
        else:
            pieces.append(part)
    return pieces


def sums_by_loop(pieces):
    everything, types, seen = 0, 0, []
    for piece in pieces:
        size = len(bytes(piece, "utf-8"))
        everything += size
        if piece not in seen:
            types += size
            seen.append(piece)
    return [everything, types]


def safe_by_edges(left, right):
    edges, place = {0}, 0
    for piece in split(left + right):
        place += len(piece)
        edges.add(place)
    mine, place = {0}, 0
    for piece in [*split(left), *split(right)]:
        place += len(piece)
        mine.add(place)
    return mine == edges


@pytest.mark.parametrize(
    "id, answer",
    [
        ("04-2", keeping_by_search),
        ("04-3", thousands_by_loop),
        ("04-4", sums_by_loop),
        ("04-5", safe_by_edges),
        ("04-5", lambda left, right: split(left + right)[: len(split(left))] == split(left)),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers, written here and not imported.


def keeping_without_filter(text, pattern):
    pieces, last = [], 0
    for m in re.finditer(pattern, text):
        pieces.append(text[last : m.start()])
        pieces.append(m[0])
        last = m.end()
    pieces.append(text[last:])
    return pieces


def keeping_forgets_the_end(text, pattern):
    return [piece for piece in keeping_without_filter(text, pattern)[:-1] if piece != ""]


def keeping_forgets_the_beginning(text, pattern):
    pieces, found = [], list(re.finditer(pattern, text))
    for m, following in zip(found, [*found[1:], None]):
        pieces += [m[0], text[m.end() : following.start() if following else None]]
    return [piece for piece in pieces if piece] if found else [text] * bool(text)


def keeping_between(text, pattern):
    pieces, last = [], 0
    for m in re.finditer(pattern, text):
        if m.start() > last:
            pieces.append(text[last : m.start()])
        last = m.end()
    return pieces + [text[last:]] * (last < len(text))


def keeping_by_plus(text, pattern):
    pieces, last = [], 0
    for m in re.finditer(pattern, text):
        pieces += text[last : m.start()]
        pieces.append(m[0])
        last = m.end()
    pieces += text[last:]
    return pieces


def thousands_by(pattern):
    return lambda text: keeping_by_search_in(text, pattern)


def keeping_by_search_in(text, pattern):
    pieces, last = [], 0
    for m in re.finditer(pattern, text):
        pieces += [text[last : m.start()], m[0]]
        last = m.end()
    return [piece for piece in [*pieces, text[last:]] if piece]


def thousands_of_an_int(text):
    pieces = []
    for part in re.split(r"(\d+)", text):
        if part.isdigit():
            pieces += format(int(part), ",").split(",")
        elif part:
            pieces.append(part)
    return pieces


WRONG = [
    ("04-2", lambda text, pattern: re.findall(pattern, text), "findall"),
    ("04-2", lambda text, pattern: [m[0] for m in re.finditer(pattern, text)], "the matches only"),
    ("04-2", keeping_between, "the stretches only"),
    ("04-2", keeping_without_filter, "empty pieces kept"),
    ("04-2", keeping_forgets_the_end, "the end lost"),
    ("04-2", keeping_forgets_the_beginning, "the beginning lost"),
    ("04-2", lambda text, pattern: re.split(f"({pattern})", text), "separators twice"),
    ("04-2", lambda text, pattern: [p for p in re.split(f"({pattern})", text) if p], "separators twice"),
    ("04-2", keeping_by_plus, "stretches taken apart"),
    ("04-3", thousands_by("[0-9]{1,3}"), "threes from the left"),
    ("04-3", thousands_by("[0-9]{3}"), "whole threes only"),
    ("04-3", thousands_by("[0-9]"), "digits one by one"),
    ("04-3", thousands_by("[0-9]+"), "numbers whole"),
    ("04-3", thousands_by(r"\d{1,3}(?=(\d\d\d)*$)"), "only at the end of the text"),
    ("04-3", lambda text: re.findall(r"\d{1,3}(?=(?:\d{3})*(?!\d))", text), "the rest lost"),
    ("04-3", thousands_of_an_int, "numbers instead of digits"),
    ("04-4", lambda pieces: (sum(len(p) for p in pieces), sum(len(p) for p in set(pieces))), "characters"),
    ("04-4", lambda pieces: (len(pieces), len(dict.fromkeys(pieces))), "pieces for bytes"),
    ("04-4", lambda pieces: sums_by_loop(pieces)[::-1], "wrong way round"),
    ("04-4", lambda p: (sums_by_loop(p)[0], sums_by_loop([x.strip() for x in p])[1]), "spaces stripped"),
    ("04-4", lambda p: (sums_by_loop(p)[0], sums_by_loop([x.lower() for x in p])[1]), "as one"),
    ("04-4", lambda p: (sums_by_loop(p)[0], sums_by_loop([x for x in p if p.count(x) < 2])[1]), "come once"),
    ("04-4", lambda p: (sums_by_loop(p)[0], len({b for x in p for b in x.encode()})), "distinct bytes"),
    ("04-5", lambda a, b: len(split(a) + split(b)) == len(split(a + b)), "the number of pieces"),
    ("04-5", lambda a, b: True, "the joined texts"),
    ("04-5", lambda a, b: a == "" or b == "" or a[-1] == "\n", "every line end"),
    ("04-5", lambda a, b: a == "" or b == "" or b[0] == " ", "every space"),
    ("04-5", lambda a, b: not a or not b or a[-1].isspace() or b[0].isspace(), "every blank"),
]


@pytest.mark.parametrize("id, answer, name", WRONG, ids=[f"{id} {name}" for id, _, name in WRONG])
def test_a_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert name in report.text, report
