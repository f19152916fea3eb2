"""The rank-frequency plot: the numbers drawn, the text beside it, names that do not cover each other."""

import itertools

import numpy as np

from bpe_lessons import show

ZIPF = [1000 / rank for rank in range(1, 501)]


def test_numbers_and_text():
    plot = show.by_rank({"A": {"words": {"a": 3, "b": 0, "c": 12}}, "B": {"tokens": range(1, 21)}}, "times")
    assert plot.data["A"]["words"].to_dict() == {1: 12, 2: 3}
    assert plot.data["B"]["tokens"].tolist() == list(range(20, 0, -1))
    assert plot.text == (
        "Rank-frequency curves: times over rank, logarithmic axes. A, words: 12 at rank 1, 3 at rank 2; "
        "B, tokens: 20 at rank 1, 11 at rank 10, 1 at rank 20."
    )


def test_what_is_drawn_is_the_data():
    plot = show.by_rank({"": {"zipf": ZIPF}})
    [line] = plot.figure.axes[0].lines
    ranks, counts = line.get_xdata(), line.get_ydata()
    assert ranks[0] == 1 and ranks[-1] == 500 and (np.diff(ranks) > 0).all()
    assert np.allclose(ranks * counts, 1000)
    ax = plot.figure.axes[0]
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlabel(), ax.get_ylabel()) == (
        "log",
        "log",
        "rank",
        "count",
    )


def test_each_curve_has_its_name_apart_from_the_others():
    curves = {f"{factor} x": [factor * count for count in ZIPF] for factor in (1, 4, 16, 64)}
    plot = show.by_rank({"": curves})
    plot.figure.canvas.draw()
    names = plot.figure.axes[0].texts
    assert [name.get_text() for name in names] == list(curves)
    boxes = [name.get_window_extent() for name in names]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
    assert len({line.get_linestyle() for line in plot.figure.axes[0].lines}) == 4


def test_short_curves():
    assert show.by_rank({"": {"one": [5], "two": [4, 2]}}).data[""]["one"].tolist() == [5]
