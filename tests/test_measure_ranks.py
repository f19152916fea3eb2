"""Ranks and words: values worked out elsewhere, laws of the fits, and refusals that say what is wrong."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_lessons import corpus
from bpe_lessons.measure import (
    coverage,
    fits,
    hapax_share,
    heaps,
    least_squares,
    likelihood,
    log_binned,
    ranked,
    row_work,
    straight,
    stretch,
)

EXACT = [120, 60, 40, 30, 24, 20]
UNSORTED = [30, 0, 120, 24, 60, 0, 40, 20]
INTEGERS = [100, 51, 32, 26, 19, 17, 15, 12, 11, 10]
COUNTS = st.lists(st.integers(1, 10**6), min_size=2, max_size=60)


def test_ranks_begin_at_1_and_zeros_have_none():
    assert ranked(UNSORTED).to_dict() == {1: 120, 2: 60, 3: 40, 4: 30, 5: 24, 6: 20}
    assert ranked({"low": 5, "up": 0, "newest": 6}).to_dict() == {1: 6, 2: 5}
    assert ranked([3, 3, 1]).tolist() == [3, 3, 1]
    assert ranked(pd.Series([0, 1, 2])).tolist() == [2, 1]
    assert ranked(count for count in (1, 2)).index.name == "rank"


@pytest.mark.parametrize("nothing", [[], {}, [0, 0], {"a": 0}])
def test_nothing_cannot_be_ranked(nothing):
    for measure in (ranked, coverage, hapax_share, least_squares, log_binned, likelihood, fits):
        with pytest.raises(ValueError, match="nothing occurs"):
            measure(nothing)


@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf])
def test_what_is_no_count_is_refused(wrong):
    with pytest.raises(ValueError, match=f"{wrong} is not how often"):
        ranked([3, wrong, 2])


def test_a_fit_needs_two_ranks():
    for method in (least_squares, log_binned, likelihood, fits):
        with pytest.raises(ValueError, match="ranks 1 to the end hold 1 counts"):
            method([7])
        with pytest.raises(ValueError, match="ranks 6 to 6 hold 1 counts"):
            method(EXACT, 6, 6)
        with pytest.raises(ValueError, match="ranks 0 to 3"):
            method(EXACT, 0, 3)
        with pytest.raises(ValueError, match="ranks 9 to 12 hold 0"):
            method(EXACT, 9, 12)
    with pytest.raises(ValueError, match="two different x"):
        log_binned(EXACT, 2, 3)  # one bin
    assert stretch(EXACT, 2, 3).to_dict() == {2: 60, 3: 40}


@pytest.mark.parametrize(
    ("counts", "slope", "intercept", "r2", "binned", "exponent"),
    [
        (EXACT, -1.0, 4.787491743, 1.0, -0.990711, 1.0),
        (UNSORTED, -1.0, 4.787491743, 1.0, -0.990711, 1.0),
        (INTEGERS, -1.002612241, 4.607578673, 0.997801426, -1.00057, 1.002088),
    ],
)
def test_values_computed_elsewhere(counts, slope, intercept, r2, binned, exponent):
    assert least_squares(counts) == pytest.approx((slope, intercept, r2), abs=5e-10)
    assert log_binned(counts).slope == pytest.approx(binned, abs=5e-7)
    assert likelihood(counts).exponent == pytest.approx(exponent, abs=5e-7)
    table = fits(counts)
    assert table["exponent"].tolist() == pytest.approx([-slope, -binned, exponent], abs=5e-7)
    assert table.index.tolist() == ["least squares", "log-binned", "maximum likelihood"]


def by_the_book(points):
    """Least squares from the sums, with logarithms of base 10 for the slope."""
    x, y = [math.log10(a) for a, _ in points], [math.log10(b) for _, b in points]
    n, sx, sy = len(points), sum(x), sum(y)
    sxy, sxx = sum(a * b for a, b in zip(x, y)), sum(a * a for a in x)
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)


def golden_section(counts, first=1):
    """The exponent of highest likelihood, found by trying, between 0 and 60."""

    def cost(s):
        ranks = range(first, first + len(counts))
        total = math.fsum((rank / first) ** -s for rank in ranks)
        return sum(n * (s * math.log(rank / first) + math.log(total)) for rank, n in zip(ranks, counts))

    low, high, ratio = 0.0, 60.0, (math.sqrt(5) - 1) / 2
    while high - low > 1e-7:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if cost(left) < cost(right) else (left, high)
    return low


@given(COUNTS)
def test_least_squares_by_the_book(counts):
    falling = sorted(counts, reverse=True)
    assert least_squares(counts).slope == pytest.approx(by_the_book(list(enumerate(falling, 1))), abs=1e-9)
    with_one_bin_each = {}
    for rank, count in enumerate(falling, 1):
        with_one_bin_each.setdefault(len(bin(rank)), []).append((rank, count))
    points = [
        (math.prod(r for r, _ in bin) ** (1 / len(bin)), sum(c for _, c in bin) / len(bin))
        for bin in with_one_bin_each.values()
    ]
    assert log_binned(counts).slope == pytest.approx(by_the_book(points), abs=1e-9)


@given(st.lists(st.integers(1, 1000), min_size=3, max_size=30), st.integers(1, 2))
def test_likelihood_by_trying(counts, first):
    falling = sorted(counts, reverse=True)[first - 1 :]
    assert likelihood(counts, first).exponent == pytest.approx(golden_section(falling, first), abs=1e-4)


@given(COUNTS, st.integers(2, 1000), st.randoms())
def test_order_and_scale_do_not_change_an_exponent(counts, factor, source):
    mixed = [0, *(count * factor for count in counts)]
    source.shuffle(mixed)
    assert fits(mixed)["exponent"].tolist() == pytest.approx(fits(counts)["exponent"].tolist(), abs=1e-8)
    assert likelihood(mixed).error == pytest.approx(likelihood(counts).error / math.sqrt(factor))


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0, 1.7, 3.0])
@pytest.mark.parametrize("first", [1, 10])
def test_an_exact_law_gives_its_exponent_back(s, first):
    counts = [1e9 * rank**-s for rank in range(1, 2000)]
    line = least_squares(counts, first)
    assert -line.slope == pytest.approx(s, abs=1e-9)
    assert line.intercept == pytest.approx(math.log(1e9))
    assert line.r2 == pytest.approx(1)
    assert likelihood(counts, first).exponent == pytest.approx(s, abs=1e-9)
    assert -log_binned(counts, first).slope == pytest.approx(s, abs=0.03 * s + 1e-9)


def test_extremes():
    assert least_squares([5, 5, 5]) == pytest.approx((0, math.log(5), 1), abs=1e-12)
    assert likelihood([5, 5, 5]).exponent == pytest.approx(0, abs=1e-12)
    assert likelihood([2**40, 1]).exponent == pytest.approx(40)
    assert likelihood([10**12, *[1] * 50], 40).exponent == pytest.approx(0, abs=1e-9)
    assert straight([1, 10, 100], [1, 100, 10_000]) == pytest.approx((2, 0, 1), abs=1e-12)


def test_the_standard_error_is_the_spread_of_new_samples():
    s, ranks = 1.2, np.arange(1, 9)
    chances = ranks**-s / sum(ranks**-s)
    draws = np.random.default_rng(1).multinomial(20_000, chances, size=300)
    found = [likelihood(draw) for draw in draws]
    assert np.mean([fit.exponent for fit in found]) == pytest.approx(s, abs=0.002)
    assert np.std([fit.exponent for fit in found]) == pytest.approx(found[0].error, rel=0.15)


def test_fits_name_the_ranks():
    table = fits(INTEGERS, 2, 8)
    assert set(table["ranks"]) == {"2-8"}
    assert set(fits(INTEGERS)["ranks"]) == {"1-10"}
    assert table["error"].notna().tolist() == [False, False, True]
    assert table["r2"].notna().tolist() == [True, True, False]
    assert table.loc["least squares", "exponent"] == -least_squares(INTEGERS, 2, 8).slope


def test_coverage():
    assert coverage({"low": 5, "lower": 2, "newest": 6, "widest": 3}).tolist() == [
        6 / 16,
        11 / 16,
        14 / 16,
        1,
    ]
    assert coverage([1, 3, 0], total=10).tolist() == [0.3, 0.4]
    with pytest.raises(ValueError, match="add up to 4, more than the total 3"):
        coverage([1, 3], total=3)


def test_hapax_share():
    assert hapax_share({"a": 1, "b": 2, "c": 1, "d": 9, "e": 0}) == 0.5
    assert hapax_share([2, 2]) == 0


def test_heaps():
    assert heaps(["to", "be", "or", "not", "to", "be"]).to_dict() == {1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 6: 4}
    with pytest.raises(ValueError, match="no items"):
        heaps([])


@given(st.lists(st.integers(0, 9), min_size=1))
def test_heaps_by_counting_anew(items):
    curve = heaps(iter(items))
    assert curve.tolist() == [len(set(items[:n])) for n in range(1, len(items) + 1)]


def test_row_work_by_hand():
    work = row_work({"low": [0, 1], "lo": [0], "ow": [1, 1]}, {"low": 5, "lo": 2, "ow": 3, "x": 9}, 4)
    assert work["uses"].tolist() == [5 + 2, 5 + 6, 0, 0]
    assert work["words"].tolist() == [2, 2, 0, 0]
    assert work["whole"].tolist() == [True, False, False, False]
    assert work.index.name == "id"
    with pytest.raises(ValueError, match="'low' has no count"):
        row_work({"low": [0]}, {}, 1)
    for id in (-1, 4):
        with pytest.raises(ValueError, match="'low' has an id that is not in a table of 4 rows"):
            row_work({"low": [id]}, {"low": 1}, 4)


def test_real_words():
    # The Zipf exponent of English over the first thousand words is known to be near 1, and steeper behind.
    words = corpus.word_counts("en")
    assert -least_squares(words, 1, 1000).slope == pytest.approx(1, abs=0.05)
    assert -least_squares(words).slope > 1.5
    letters = coverage(Counter(c for c in corpus.text("english").lower() if c.isalpha()))
    assert letters[3] == pytest.approx(0.30, abs=0.02)  # e, t and a in English prose
