"""Additions drawn in columns: what stands where, and what each token of the sum needs."""

import re
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from bpe_lessons import show
from bpe_lessons.arithmetic import group_digits
from bpe_lessons.show.digits import needed

LEFT = partial(group_digits, size=3)


def test_the_plain_text():
    assert repr(show.addition(9876, 543, {"left": LEFT, "one": partial(group_digits, size=1)})) == (
        "left\n"
        "      |9 8 7|6|\n"
        "  +     |5 4 3|\n"
        "  = |1 0 4|1 9|\n"
        "  needs 1+1 2+1\n"
        "\n"
        "one\n"
        "      |9|8|7|6|\n"
        "  +     |5|4|3|\n"
        "  = |1|0|4|1|9|\n"
        "  needs 0+0 1+0 1+1 1+1 1+1"
    )


def test_the_html_holds_the_same():
    html = show.addition(9876, 543, {"<left>": LEFT})._repr_html_()
    cells = re.findall(r">(\d)</td>", html)
    assert "".join(cells) == "9876" + "543" + "10419"
    assert re.findall(r">(\d\+\d)<", html) == ["1+1", "2+1"]
    assert re.findall(r"<span[^>]*>(.+?)</span>", html) == ["2+1"]
    assert "&lt;left&gt;" in html
    for style in re.findall(r'style="([^"]*background[^"]*)"', html):
        assert "color:" in style.replace("background:", "")


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_what_a_token_needs(a, b):
    rows = [group_digits(str(number), 3, from_right=True) for number in (a, b, a + b)]
    for x, y in needed(*rows):
        assert x <= 1 and y <= 1
    spans = []
    for number in (a, b, a + b):
        right, tokens = len(str(number)), []
        for token in LEFT(str(number)):
            tokens.append(range(right - len(token), right))
            right -= len(token)
        spans.append(tokens)
    brute = [tuple(sum(bool(set(t) & set(s)) for t in spans[n]) for n in (0, 1)) for s in spans[2]]
    assert needed(*(LEFT(str(number)) for number in (a, b, a + b))) == brute
