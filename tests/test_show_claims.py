"""Statements drawn: what a page, the list, the menus and the bars say."""

import re

import ipywidgets
import pytest

from bpe_lessons import show
from bpe_lessons.claims import Claim
from bpe_lessons.show.claims import LONGEST, shortened


def claim(id, topic="zipf", verdict="wrong", kind="recomputed", reason="", lesson="07_zipf"):
    return Claim(id, topic, f"Statement <{id}>.", "seven", verdict, "It is six.", kind, 6, reason, lesson)


CLAIMS = [
    claim("000-01"),
    claim("000-02", "bytes", "holds", lesson="01_text_is_bytes"),
    claim("002-01", "zipf", "holds"),
    claim("002-02", "bytes", "imprecise", "recorded", "It needs a model."),
    claim("003-01", "zipf", "not checkable here", "recorded", "It needs a model."),
    claim("004-01", "zipf", "wrong"),
]


def select(article="", topic="", verdict=""):
    return [
        c
        for c in CLAIMS
        if article in ("", c.article) and topic in ("", c.topic) and verdict in ("", c.verdict)
    ]


def test_a_page_in_plain_text():
    assert repr(show.statements([CLAIMS[0], CLAIMS[3]], {"000-01": {"n": 6, "你": [1]}})) == (
        "000-01  zipf  wrong  07_zipf\n"
        "  Statement <000-01>.\n"
        "  written: seven\n"
        '  computed: {"n": 6, "你": [1]}\n'
        "  in fact: It is six.\n"
        "\n"
        "002-02  bytes  imprecise  07_zipf\n"
        "  Statement <002-02>.\n"
        "  written: seven\n"
        "  in fact: It is six.\n"
        "  recorded: It needs a model."
    )
    assert repr(show.statements([], {})) == "no statement"


def test_a_page_in_html():
    html = show.statements(CLAIMS[:2], {"000-01": 6, "000-02": "<6>"})._repr_html_()
    assert "Statement &lt;000-01&gt;." in html and "&lt;6&gt;" in html
    assert re.findall(r'<a href="(.+?)">(.+?)</a>', html) == [
        ("07_zipf.ipynb", "lesson 07"),
        ("01_text_is_bytes.ipynb", "lesson 01"),
    ]
    for style in re.findall(r'style="([^"]*background[^"]*)"', html):
        assert "color:" in style.replace("background:", "")


@pytest.mark.parametrize("length", [LONGEST - 2, LONGEST])
def test_a_long_value_is_shortened(length):
    text = shortened("x" * length)
    assert len(text) <= LONGEST + 4
    assert text.endswith(" ...") == (length == LONGEST)


def test_the_list_has_a_line_for_each():
    picture = show.statement_list(CLAIMS)
    lines = repr(picture).splitlines()
    assert [line[:6] for line in lines] == [c.id for c in CLAIMS]
    assert lines[1] == "000-02  bytes            holds               recomputed  01  Statement <000-02>."
    assert picture._repr_html_().count("<tr>") == 1 + len(CLAIMS)


def controls(box):
    menus, below, page = box.children
    return (*menus.children, *below.children, page)


def test_the_menus_filter_and_the_number_turns_pages():
    article, topic, verdict, number, count, page = controls(
        show.browse_statements(select, CLAIMS, {}, each=2)
    )
    assert isinstance(article, ipywidgets.Dropdown)
    assert [label for label, _ in article.options] == ["all", "000", "002", "003", "004"]
    assert [label for label, _ in topic.options] == ["all", "bytes", "zipf"]

    def shown():
        [output] = page.outputs
        return re.findall(r"Statement &lt;(.+?)&gt;", output["data"]["text/html"])

    assert shown() == ["000-01", "000-02"] and count.value == "of 3; 6 statements"
    number.value = 3
    assert shown() == ["003-01", "004-01"]
    topic.value = "bytes"  # one page is left, and it is shown
    assert number.value == 1
    assert shown() == ["000-02", "002-02"] and count.value == "of 1; 2 statements"
    verdict.value = "wrong"
    assert (
        shown() == []
        and "no statement" in page.outputs[0]["data"]["text/plain"]
        and count.value == "of 1; 0 statements"
    )


def test_the_bars():
    plot = show.verdicts_by_topic(CLAIMS)
    assert plot.data == {
        "zipf": {"holds": 1, "imprecise": 0, "wrong": 2, "not checkable here": 1},
        "bytes": {"holds": 1, "imprecise": 1, "wrong": 0, "not checkable here": 0},
    }
    assert plot.text == (
        "Bars laid end to end: statements by topic and verdict. "
        "zipf: holds 1, wrong 2, not checkable here 1; bytes: holds 1, imprecise 1."
    )
    [ax] = plot.figure.axes
    widths = [bar.get_width() for container in ax.containers for bar in container]
    assert widths == [1, 1, 0, 1, 2, 0, 1, 0]
    ends = [bar.get_x() + bar.get_width() for bar in ax.containers[-1]]
    assert ends == [4, 2]
