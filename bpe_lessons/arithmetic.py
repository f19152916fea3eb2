"""Additions as tokens: how a number is cut, and what a learner without any arithmetic makes of it.

The learner keeps a table and nothing else. It shows how many facts a cut makes of one skill; it is no model
of a language model.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Cut = Callable[[str], list[str]]  # the digits of a number -> its tokens
Place = tuple[str, int]  # a token, and which of its digits, counted from its right end
Question = tuple[tuple[Place, ...], tuple[Place, ...], int, int]


def group_digits(number: str, size: int, from_right: bool = False) -> list[str]:
    """The digits of a number in groups of `size`; the short group stands last, or first with `from_right`.

    >>> group_digits("1234567", 3), group_digits("1234567", 3, from_right=True)
    (['123', '456', '7'], ['1', '234', '567'])
    """
    first = len(number) % size if from_right else 0
    groups = [number[start : start + size] for start in range(first, len(number), size)]
    return [number[:first], *groups] if first else groups


def columns(tokens: Sequence[str]) -> list[Place]:
    """For each column of a number, the units first: the token that holds it, and which of its digits.

    >>> columns(["12", "3"])
    [('3', 0), ('12', 0), ('12', 1)]
    """
    return [(token, place) for token in reversed(tokens) for place in range(len(token))]


def questions(a: int, b: int, cut: Cut) -> list[tuple[Question, str]]:
    """What is asked for each token of a + b, and the right answer, from the right to the left.

    A question holds, for the columns of one token of the sum, the places of a and of b, then the carry
    that comes in, then the number of columns.
    """
    left, right = columns(cut(str(a))), columns(cut(str(b)))
    asked, low = [], 0
    for token in reversed(cut(str(a + b))):
        high = low + len(token)
        carry = (a % 10**low + b % 10**low) // 10**low
        asked.append(((tuple(left[low:high]), tuple(right[low:high]), carry, high - low), token))
        low = high
    return asked


def learn_by_heart(sums: Iterable[tuple[int, int]], cut: Cut) -> tuple[dict[Question, str], str]:
    """The table question -> answer of some sums, and the commonest answer (of equals the first met)."""
    table: dict[Question, str] = {}
    counts: Counter[str] = Counter()
    for a, b in sums:
        for question, token in questions(a, b, cut):
            table[question] = token
            counts[token] += 1
    return table, counts.most_common(1)[0][0]


def write_sum(a: int, b: int, cut: Cut, table: dict[Question, str], commonest: str) -> list[str]:
    """The tokens of a + b as the table has them; the commonest answer to a question it has never seen."""
    asked = [question for question, _ in questions(a, b, cut)]
    return [table.get(question, commonest) for question in reversed(asked)]


def score(sums: Sequence[tuple[int, int]], cut: Cut, table: dict[Question, str], commonest: str) -> float:
    """The share of some sums in which every token is right, from 0 to 1."""
    right = [write_sum(a, b, cut, table, commonest) == cut(str(a + b)) for a, b in sums]
    return sum(right) / len(right)


def draw_sums(seed: int, count: int, digits: Sequence[int]) -> list[tuple[int, int]]:
    """`count` pairs of numbers to add; the number of digits of each number is drawn from `digits`."""
    source = random.Random(seed)
    lowest = [10 ** (size - 1) for size in source.choices(digits, k=2 * count)]
    numbers = [source.randrange(low, 10 * low) for low in lowest]
    return list(zip(numbers[::2], numbers[1::2]))
