"""Drawings carry the numbers they show, and say them in words."""

import base64
import io
import warnings

import pytest
from matplotlib.text import Text
from PIL import Image

from bpe_lessons import show
from bpe_lessons.lesson import numbered

POINTS = {"all": {"words": [(1, 1000.0), (10, 100.0), (100, 12.3456)], "fit": [(1, 900.0), (100, 9.0)]}}
ROWS = {"German": {"gpt2": 1.5, "qwen2.5": 1.25}, "Thai": {"gpt2": 4.0}}


def labels(plot):
    return {text.get_text() for axes in plot.figure.axes for text in axes.texts}


def test_lines():
    plot = show.lines(POINTS, "rank", "times in the text", log="xy", scatter=["words"])
    assert plot.data == POINTS and repr(plot) == plot.text
    assert plot.text == (
        "Lines: times in the text over rank, logarithmic axes. "
        "all, words: 1,000 at 1 to 12.35 at 100; all, fit: 900 at 1 to 9 at 100."
    )
    axes = plot.figure.axes[0]
    assert [list(zip(*line.get_data())) for line in axes.lines] == list(POINTS["all"].values())
    assert [line.get_linestyle() for line in axes.lines] == ["None", "--"]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert labels(plot) == {"words", "fit"}


def test_words_tell_where_a_line_turns():
    turning = {"cost": [(1, 5), (2, 0.5), (4, 3)], "gain": [(1, 1), (2, 9), (4, 2)]}
    valley = show.lines({"": turning}, "x", "y")
    assert valley.text == (
        "Lines: y over x. cost: 5 at 1 to 3 at 4, lowest 0.5 at 2; gain: 1 at 1 to 2 at 4, highest 9 at 2."
    )


def test_names_of_lines_do_not_cover_each_other():
    plot = show.lines({"": {str(i): [(0, 0), (1, 1 + i / 1000)] for i in range(9)}}, "x", "y")
    plot._repr_mimebundle_()
    boxes = [Text.get_window_extent(name) for name in plot.figure.axes[0].texts]  # without the leader
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_names_stay_beside_their_lines_on_linear_axes():
    plot = show.lines({"": {"a": [(1, 2000), (20, 40000)], "b": [(1, 2000), (20, 3000)]}}, "turns", "tokens")
    plot._repr_mimebundle_()
    (axes,) = plot.figure.axes
    low, high = axes.get_ylim()
    for name, value in zip(axes.texts, (40000, 3000)):
        assert abs(name.xyann[1] - (value - low) / (high - low)) < 0.02


def test_whole_numbers_get_whole_ticks():
    plot = show.lines({"": {"a": [(1, 0.5), (3, 0.7)]}}, "turns", "share")
    assert all(float(tick).is_integer() for tick in plot.figure.axes[0].get_xticks())


def test_dots():
    plot = show.dots(ROWS, "tokens relative to English", line=1)
    assert plot.data == ROWS
    assert plot.text == "Dots: tokens relative to English. German: gpt2 1.5, qwen2.5 1.25; Thai: gpt2 4."
    axes = plot.figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["German", "Thai"]
    gpt2 = next(line for line in axes.lines if line.get_label() == "gpt2")
    assert list(zip(*gpt2.get_data())) == [(1.5, 0), (4.0, 1)]


def test_bars():
    plot = show.bars(
        {"one": {"merge": 0.64, "count": 0.24}, "two": {"merge": 1}}, "share", "{:.0%}", ["merge"]
    )
    assert plot.text == "Bars: share. one: merge 64%, count 24%; two: merge 100%."
    assert [bar.get_width() for bar in plot.figure.axes[0].patches] == [0.64, 0.24]
    assert labels(plot) == {" 64%", " 24%", " 100%"}


def test_merge_tree():
    rules = numbered([(99, 104), (101, 114), (256, 257)])
    vocabulary = {i: bytes([i]) for i in range(256)} | {256: b"ch", 257: b"er", 258: b"cher"}
    plot = show.merge_tree(list(b"cher"), rules, vocabulary)
    assert plot.data == [b"cher"]
    assert plot.text == (
        "Tree: rule 1 joins c and h; rule 2 joins e and r; rule 3 joins ch and er. Left: cher."
    )
    assert show.merge_tree(list("你".encode()), rules, vocabulary).text == (
        "Tree: no rule applies. Left: ⟨e4⟩ ⟨bd⟩ ⟨a0⟩."
    )


def test_three_ways():
    plot = show.three_ways({"English": [("bytes", 1234, 256, 0), ("words", 200, 999, 0.125)]})
    assert "length of the text (symbols): bytes 1,234, words 200" in plot.text
    assert "not in the table (share): bytes 0, words 12.50%" in plot.text


@pytest.mark.parametrize(
    "plot",
    [
        show.lines(POINTS, "rank", "times", log="xy"),
        show.dots(ROWS, "ratio", log=True),
        show.bars({"": {"a": 2, "b": 1200.5}}, "tokens"),
    ],
    ids=["lines", "dots", "bars"],
)
def test_a_notebook_gets_a_picture_and_its_words(plot):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a glyph that the font lacks is a warning
        bundle, about = plot._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["text/plain"] == about["image/png"]["alt"] == plot.text


def test_the_picture_has_a_palette_and_keeps_its_colours():
    bundle, _ = show.lines(POINTS, "rank", "times", log="xy")._repr_mimebundle_()
    picture = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert picture.mode == "P"
    colours = {colour for _, colour in picture.convert("RGB").getcolors()}
    # Thin lines are mixed with their background, so their own colour need not occur exactly.
    for wanted in ((255, 255, 255), (0, 0, 0), (0, 0x72, 0xB2), (0xD5, 0x5E, 0)):
        assert any(max(abs(a - b) for a, b in zip(colour, wanted)) < 25 for colour in colours)
