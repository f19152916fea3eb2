"""Additions as tokens: cuts, questions and scores worked out by hand."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from bpe_lessons.arithmetic import (
    columns,
    draw_sums,
    group_digits,
    learn_by_heart,
    questions,
    score,
    write_sum,
)
from bpe_lessons.split import split

ONE = partial(group_digits, size=1)
LEFT = partial(group_digits, size=3)
RIGHT = partial(group_digits, size=3, from_right=True)


def odd(number):
    """A cut that depends on the digits, as merges do: after every digit below 4."""
    tokens = [""]
    for digit in number:
        tokens[-1] += digit
        if digit < "4":
            tokens.append("")
    return [token for token in tokens if token]


CUTS = [ONE, LEFT, RIGHT, partial(group_digits, size=2), odd, lambda number: [number]]
SUMS = st.lists(st.tuples(st.integers(0, 40_000_000), st.integers(0, 40_000_000)), min_size=1, max_size=20)
SMALL = st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120)), min_size=1, max_size=60)


@given(st.text("0123456789", max_size=15), st.integers(1, 5))
def test_groups(number, size):
    left, right = group_digits(number, size), group_digits(number, size, from_right=True)
    assert "".join(left) == "".join(right) == number
    assert [group[::-1] for group in reversed(group_digits(number[::-1], size))] == right
    assert all(len(group) == size for group in [*left[:-1], *right[1:]])
    assert all(1 <= len(group) <= size for group in left + right)


@given(st.text("0123456789", min_size=1, max_size=15))
def test_groups_are_those_of_the_patterns_and_of_our_writing(number):
    assert LEFT(number) == split(number, "gpt4") == split(number, "o200k") == split(number, "deepseek")
    assert ONE(number) == split(number, "qwen") == split(number, "qwen3.5")
    assert RIGHT(str(int(number))) == f"{int(number):,}".split(",")


def test_columns_by_hand():
    assert columns(["987", "65"]) == [("65", 0), ("65", 1), ("987", 0), ("987", 1), ("987", 2)]
    assert columns([]) == []


def test_questions_by_hand():
    # 95 + 8 = 103; the tens take a carry, the hundreds are a carry alone
    assert questions(95, 8, ONE) == [
        (((("5", 0),), (("8", 0),), 0, 1), "3"),
        (((("9", 0),), (), 1, 1), "0"),
        (((), (), 1, 1), "1"),
    ]
    # 9876 + 543 = 10419, cut 987|6, 543, 104|19
    low, high = questions(9876, 543, LEFT)
    assert low == (((("6", 0), ("987", 0)), (("543", 0), ("543", 1)), 0, 2), "19")
    assert high == (((("987", 1), ("987", 2)), (("543", 2),), 1, 3), "104")


@given(SUMS)
def test_a_question_has_one_answer(sums):
    for cut in CUTS:
        answers = {}
        for a, b in sums:
            asked = questions(a, b, cut)
            assert "".join(token for _, token in reversed(asked)) == str(a + b)
            for question, token in asked:
                assert answers.setdefault(question, token) == token


def test_single_digits_are_241_facts():
    sums = [(a, b) for a in range(1000) for b in range(0, 1000, 7)]
    table, commonest = learn_by_heart(sums, ONE)
    # two digits with or without a carry; a digit beside nothing, on either side; a carry alone
    assert len(table) == 10 * 10 * 2 + 2 * 10 * 2 + 1
    assert write_sum(987_654_321, 123_456, ONE, table, commonest) == list("987777777")


def test_the_commonest_answer_stands_in():
    table, commonest = learn_by_heart([(1, 1), (1, 2), (2, 1)], ONE)
    assert commonest == "3" and write_sum(7, 1, ONE, table, commonest) == ["3"]
    assert learn_by_heart([(2, 2), (1, 2)], ONE)[1] == "4"  # a tie: the first met


def test_every_token_of_a_sum_has_to_be_right():
    table, commonest = learn_by_heart([(1, 1), (12, 3)], ONE)
    assert commonest == "2"
    # 2; 15; 21 + 1 = 22: unseen questions, both answered with 2; 33 + 1 = 34: twice 2, both wrong
    assert score([(1, 1), (12, 3), (21, 1), (33, 1)], ONE, table, commonest) == 0.75
    assert score([(33, 1)], ONE, table, commonest) == 0.0


@given(SMALL)
def test_what_was_practised_is_known(sums):
    for cut in CUTS:
        assert score(sums, cut, *learn_by_heart(sums, cut)) == 1.0


def test_drawn_sums_have_the_lengths_asked_for():
    sums = draw_sums(3, 4_000, (2, 4))
    numbers = [number for pair in sums for number in pair]
    assert len(sums) == 4_000 and len(numbers) == 8_000 and sums == draw_sums(3, 4_000, (2, 4))
    lengths = [len(str(number)) for number in numbers]
    assert set(lengths) == {2, 4} and 0.45 < lengths.count(2) / 8_000 < 0.55
    assert min(numbers) == 10 and 9_900 < max(numbers) < 10_000
    assert sums != draw_sums(4, 4_000, (2, 4))


def test_with_threes_from_the_left_columns_are_in_line_at_equal_lengths_modulo_three():
    for a in (1_234, 12_345, 123_456, 1_234_567):
        for b in (9_876, 98_765, 987_654, 9_876_543):
            edges = []
            for number in (a, b):
                places = columns(LEFT(str(number)))
                edges.append({column for column, (_, place) in enumerate(places) if column and place == 0})
            shared = min(len(str(a)), len(str(b)))
            in_line = {edge for edge in edges[0] if edge < shared} == {
                edge for edge in edges[1] if edge < shared
            }
            assert in_line == (len(str(a)) % 3 == len(str(b)) % 3)
