"""The drawing of a lattice: what is drawn and what its text says."""

from math import log

import pytest

from bpe_lessons.show import paths
from bpe_lessons.unigram import Model, lattice

SHARES = {"a": 0.2, "b": 0.2, "c": 0.1, "ab": 0.1, "bc": 0.24, "abc": 0.06, "d": 0.1}
EDGES = lattice("abcd", Model({piece: log(share) for piece, share in SHARES.items()}))


def test_every_piece_is_an_arc_and_the_best_cut_is_set_off():
    plot = paths(EDGES, ["abc", "d"])
    arcs = {piece: (start, end, best) for start, end, piece, _, best in plot.data["arcs"]}
    assert arcs == {
        "a": (0, 1, False),
        "ab": (0, 2, False),
        "b": (1, 2, False),
        "abc": (0, 3, True),
        "bc": (1, 3, False),
        "c": (2, 3, False),
        "d": (3, 4, True),
    }
    assert {piece: pytest.approx(share) for _, _, piece, share, _ in plot.data["arcs"]} == SHARES
    by_hand = [0, log(0.2), log(0.1), log(0.06), log(0.006)]
    assert plot.data["so_far"] == pytest.approx(by_hand)


def test_the_text_says_what_is_drawn():
    text = repr(paths(EDGES, ["a", "bc", "d"]))
    assert text.startswith("Lattice: a from 0 to 1 (0.2), ab from 0 to 2 (0.1), b from 1 to 2 (0.2), ")
    assert "Best: a | bc | d." in text and text.endswith("-2.813 at 3, -5.116 at 4.")


def test_it_draws():
    bundle, _ = paths(EDGES, ["abc", "d"])._repr_mimebundle_()
    assert bundle["image/png"].startswith("iVBOR") and bundle["text/plain"].startswith("Lattice")
    assert repr(paths([[]], [])).startswith("Lattice: .")


def test_a_letter_outside_ascii_is_written_in_hex():
    plot = paths(lattice("你", Model({"你": -1.0})), ["你"])
    assert any("⟨e4 bd a0⟩" in text.get_text() for text in plot.figure.axes[0].texts)
