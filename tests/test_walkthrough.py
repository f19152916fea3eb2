"""The low / lower / newest / widest walkthrough in every form, and whose rules give a list."""

import pytest

from bpe_lessons import corpus, show
from bpe_lessons.walkthrough import FORMS, Rules, identify, parse_merges

WORDS = corpus.words("walkthrough")


def tokens(rules, steps=10, words=WORDS):
    taken, vocabulary = rules.run(words, steps)
    return " ".join(show.readable(vocabulary[step.new_id]) for step in taken)


@pytest.mark.parametrize(
    ("form", "ties", "expected"),
    [
        ("plain", "first", "es est lo low ne new newest wi wid widest"),
        ("plain", "smallest", "es est lo low ew new newest dest idest widest"),
        ("plain", "greatest", "st est ow low west ne newest wi wid widest"),
        ("own", "first", "es est est_ lo low ne new newest_ low_ wi"),
        ("glued", "smallest", "es est_ lo ew new newest_ low_ dest_ idest_ widest_"),
        ("space", "first", "es est lo low ␣low ␣n ␣ne ␣new ␣newest ␣w"),
        ("text", "first", "es est est␣ lo low ␣low ne new newest␣ newest␣newest␣"),
    ],
)
def test_first_ten_merges(form, ties, expected):
    assert tokens(Rules(form, ties)) == expected
    assert tokens(Rules(form, ties, "bytes")) == expected


def test_counts_and_ends():
    steps, vocabulary = Rules("own").run(WORDS, 99)
    assert [step.count for step in steps][:10] == [9, 9, 9, 7, 7, 6, 6, 6, 5, 3]
    assert [show.pair_name(pair, vocabulary) for pair in steps[0].tied] == ["e + s", "s + t", "t + _"]
    assert (len(steps), len(vocabulary)) == (15, 26)
    assert len(Rules("plain").run(WORDS, 99)[0]) == 12
    steps, vocabulary = Rules("own").run(WORDS, 10)
    assert [show.row_of(ids, vocabulary) for ids, _ in steps[-1].corpus] == [
        "low_",
        "low e r _",
        "newest_",
        "wi d est_",
    ]


def matches(listing, words=WORDS, marker="_"):
    found = identify(parse_merges(listing, marker), words, marker)
    return sorted({(rules.form, rules.ties) for rules in found.matches}), found


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        ("es est lo low ne new newest wi wid widest", [("plain", "first")]),
        ("es est lo low ew new newest dest idest widest", [("plain", "smallest")]),
        ("st est ow low west ne newest wi wid widest", [("plain", "greatest")]),
        ("es est est_ lo low ne new newest_ low_ wi", [("own", "first")]),
        ("es, est, est</w>, lo, low, ne", [("own", "first")]),
        ("es est_ lo ew new newest_ low_", [("glued", "smallest")]),
        ("[('e','s'), ('es','t'), ('l','o'), ('lo','w'), ('n','e')]", [("plain", "first")]),
        ("[('e','s'),('es','t'),('l','o'),('lo','w'),(' ','low')]", [("space", "first")]),
        (
            '["es", "est", "lo", "low"]',
            [("plain", "first"), ("plain", "smallest"), ("space", "first"), ("space", "smallest")],
        ),
        ("es est lo low Ġlow", [("space", "first")]),
        ("es est lo low ▁low", [("space", "first")]),
        ("e s\nes t\nl o\nlo w\nn e", [("plain", "first")]),
        ("e + s, es + t, l + o, lo + w, n + e", [("plain", "first")]),
        ("1. es 2. est 3. lo 4. low 5. ne", [("plain", "first")]),
        ("es; est; lo; low; ne", [("plain", "first")]),
        ("es、est，lo、low、ne", [("plain", "first")]),
        ('"es", "est", "lo", "low", "ne"', [("plain", "first")]),
        ("#version: 0.2\ne s\nes t\nl o\nlo w\nn e", [("plain", "first")]),
        ("{('e','s'): 9, ('es','t'): 9, ('l','o'): 7, ('lo','w'): 7, ('n','e'): 6}", [("plain", "first")]),
        (
            "[(('e','s'), 9), (('es','t'), 9), (('l','o'), 7), (('lo','w'), 7), (('n','e'), 6)]",
            [("plain", "first")],
        ),
        ("[(b'e', b's'), (b'es', b't'), (b'l', b'o'), (b'lo', b'w'), (b'n', b'e')]", [("plain", "first")]),
        ("['e s', 'es t', 'l o', 'lo w', 'n e']", [("plain", "first")]),
    ],
)
def test_lists_that_some_rule_gives(listing, expected):
    assert matches(listing)[0] == expected


@pytest.mark.parametrize(
    ("listing", "words", "form", "step", "count", "best", "pairs"),
    [
        ("es est est_ lo low low_", WORDS, "own", 6, 5, 6, [("n", "e"), ("e", "w"), ("w", "est_")]),
        ("es est lo low new wid lower", WORDS, "plain", 5, 0, 6, [("n", "e"), ("e", "w"), ("w", "est")]),
        ("lo ow low er est", corpus.words("flower"), "plain", 2, 0, 3, [("lo", "w"), ("w", "e")]),
        ("ch er te tea cher teacher", WORDS, "plain", 1, 0, 9, [("e", "s"), ("s", "t")]),
        ("es est lo low lo", WORDS, "plain", 5, 0, 6, [("n", "e"), ("e", "w"), ("w", "est")]),
        ("er", WORDS, "plain", 1, 2, 9, [("e", "s"), ("s", "t")]),
    ],
)
def test_lists_that_no_rule_gives(listing, words, form, step, count, best, pairs):
    found = matches(listing, words)[1]
    assert not found.matches and not found.possible
    stuck = next(s for s in found.stuck if s.form == form)
    assert (stuck.step, stuck.count, stuck.best, list(stuck.best_pairs)) == (step, count, best, pairs)
    assert f"Impossible from step {step} on" in show.verdict(found)


def test_a_list_may_follow_the_counts_under_no_named_rule():
    found = matches("es est lo low ne new newest dest wi widest")[1]
    assert not found.matches
    assert {form for form, _ in found.possible} == {"plain"}
    assert "No tie rule named here gives this list" in show.verdict(found)


def test_a_list_longer_than_the_training():
    found = matches("es est lo low ne new newest wi wid widest lowe lower more")[1]
    assert found.stuck[0].step == 13
    assert "no pair is left" in show.verdict(found)


def test_every_run_identifies_itself():
    for form in FORMS:
        for ties in ("first", "smallest", "greatest"):
            for alphabet in ("characters", "bytes", "glyphs"):
                rules = Rules(form, ties, alphabet)
                steps, vocabulary = rules.run(WORDS, 9)
                merges = [(vocabulary[step.pair[0]], vocabulary[step.pair[1]]) for step in steps]
                assert rules in identify(merges, WORDS).matches


def test_other_markers_and_scripts():
    assert matches("低低 低</w>", {"低低": 2, "低": 3}, "</w>")[1].stuck
    assert ("own", "first") in matches("低</w> 低低</w>", {"低低": 2, "低": 3}, "</w>")[0]


@pytest.mark.parametrize("listing", ["e s", "('e','s')", "e + s", "[('e', 's')]"])
def test_one_pair_is_a_list_too(listing):
    assert parse_merges(listing) == [(b"e", b"s")]


@pytest.mark.parametrize("listing", ["", "  ", "[1, 2]", "[('a',)", "[('a','b','c')]", "['']", ","])
def test_unreadable_lists(listing):
    with pytest.raises(ValueError, match="the list of merges"):
        parse_merges(listing)


def test_bad_rules():
    for settings, message in [
        ({"form": "bare"}, "unknown form 'bare'"),
        ({"ties": "last"}, "unknown tie rule"),
        ({"alphabet": "runes"}, "unknown alphabet"),
        ({"form": "own", "marker": ""}, "needs a marker"),
    ]:
        with pytest.raises(ValueError, match=message):
            Rules(**settings)
    with pytest.raises(ValueError, match="surrogate"):
        Rules().start({"a\ud800": 1})
    with pytest.raises(ValueError, match="surrogate"):
        Rules("own", marker="\ud800").start({"a": 1})
    with pytest.raises(ValueError, match="at most 100,000"):
        Rules("text").start({"low": 10**9})
