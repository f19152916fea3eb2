"""The exercises of lesson 06: right answers pass, classic mistakes are named, shortcuts fail."""

import math
from fractions import Fraction

import pytest

from bpe_lessons import check

# Right answers, written in another way than the solutions.


def joined_length(ids, vocabulary):
    data = b"".join(map(vocabulary.get, ids))
    if len(ids) == 0:
        raise ValueError
    return len(data) / len(ids)


def exact_share(rows, width, tied, body):
    tables = Fraction(rows * width)
    for _ in range(not tied):
        tables += rows * width
    return round(float(tables / (tables + body)), 4)


def by_sorting(curve, body, width):
    costs = [(Fraction(body + size * width) / Fraction(str(curve[size])), size) for size in curve]
    return sorted(costs)[0][1]


def with_log2(mean_loss, tokens, text):
    data = bytes(text, "utf-8")
    if data == b"":
        raise ValueError
    return round(mean_loss * math.log2(math.e) * tokens / len(data), 4)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("06-1", (3 * 2**13, 1.5 * 2**13)),
        ("06-2", joined_length),
        ("06-3", exact_share),
        ("06-4", by_sorting),
        ("06-5", with_log2),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def guarded(function):
    def answer(ids, vocabulary):
        if not ids:
            raise ValueError("nothing")
        return function(ids, vocabulary)

    return answer


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


decoded_each = guarded(lambda ids, voc: mean(len(voc[i].decode(errors="replace").encode()) for i in ids))
decoded_dropping = guarded(lambda ids, voc: mean(len(voc[i].decode(errors="ignore").encode()) for i in ids))
decoded_strictly = guarded(lambda ids, voc: mean(len(voc[i].decode().encode()) for i in ids))
characters_each = guarded(lambda ids, voc: mean(len(voc[i].decode(errors="replace")) for i in ids))
characters_strict = guarded(lambda ids, voc: mean(len(voc[i].decode()) for i in ids))
characters_whole = guarded(
    lambda ids, voc: len(b"".join(voc[i] for i in ids).decode(errors="replace")) / len(ids)
)
once_each = guarded(lambda ids, voc: mean(len(voc[i]) for i in set(ids)))
all_of_it = guarded(lambda ids, voc: mean(map(len, voc.values())))
floor = guarded(lambda ids, voc: sum(len(voc[i]) for i in ids) // len(ids))
summed = guarded(lambda ids, voc: sum(len(voc[i]) for i in ids))


def nothing_checked(ids, vocabulary):
    return mean(len(vocabulary[i]) for i in ids)


def zero(ids, vocabulary):
    return mean(len(vocabulary[i]) for i in ids) if ids else 0.0


def tied_twice(rows, width, tied, body):
    tables = rows * width
    if tied:
        tables *= 2
    return round(tables / (tables + body), 4)


def one_table(rows, width, tied, body):
    return round(rows * width / (rows * width + body), 4)


def two_tables(rows, width, tied, body):
    return round(2 * rows * width / (2 * rows * width + body), 4)


def right_tables(rows, width, tied):
    return rows * width * (2 - tied)


def of_the_body(rows, width, tied, body):
    return round(right_tables(rows, width, tied) / body, 4)


def percent(rows, width, tied, body):
    tables = right_tables(rows, width, tied)
    return round(tables / (tables + body) * 100, 4)


def percent_of_a_share(rows, width, tied, body):
    tables = right_tables(rows, width, tied)
    return round(tables / (tables + body) * 100, 2)


def coarse(rows, width, tied, body):
    tables = right_tables(rows, width, tied)
    return round(tables / (tables + body), 2)


def raw(rows, width, tied, body):
    tables = right_tables(rows, width, tied)
    return tables / (tables + body)


def rest(rows, width, tied, body):
    tables = right_tables(rows, width, tied)
    return round(body / (tables + body), 4)


def largest(curve, body, width):
    return max(curve)


def smallest(curve, body, width):
    return sorted(curve, key=lambda size: body + width * size)[0]


def no_body(curve, body, width):
    return min(curve, key=lambda size: width * size / curve[size])


def doubled(curve, body, width):
    return min(curve, key=lambda size: (2 * width * size + body) / curve[size])


def no_width(curve, body, width):
    return min(curve, key=lambda size: (size + body) / curve[size])


def lowest_cost(curve, body, width):
    return min((width * size + body) / curve[size] for size in curve)


def highest(curve, body, width):
    return sorted(curve, key=lambda size: (width * size + body) / curve[size])[-1]


def loss_answer(function, empty=True, places=4):
    def answer(mean_loss, tokens, text):
        if empty and not text:
            raise ValueError("nothing")
        result = function(mean_loss, tokens, text)
        return result if places is None else round(result, places)

    return answer


def right_bits(loss, tokens, text):
    return loss * tokens / len(text.encode()) / math.log(2)


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("06-1", [24_000.0, 12_000.0], "8K as 8,000"),
        ("06-1", [8192 / 3.0, 8192 / 1.5], "division"),
        ("06-1", [2731, 5461], "division"),
        ("06-1", (12_288, 24_576), "the other order"),
        ("06-1", [8192, 8192], "the same for both"),
        ("06-1", [24.0, 12.0], "kilobytes"),
        ("06-1", (24.576, 12.288), "kilobytes"),
        ("06-1", 2.0, "the ratio"),
        ("06-2", decoded_each, "decoding each token alone"),
        ("06-2", decoded_dropping, "decoding each token alone"),
        ("06-2", decoded_strictly, "decoding each token alone"),
        ("06-2", characters_each, "characters for bytes"),
        ("06-2", characters_whole, "characters for bytes"),
        ("06-2", once_each, "each token once"),
        ("06-2", all_of_it, "the whole vocabulary"),
        ("06-2", floor, "whole division"),
        ("06-2", summed, "the sum"),
        ("06-2", nothing_checked, "no guard"),
        ("06-2", zero, "0 for nothing"),
        ("06-3", tied_twice, "tied the wrong way round"),
        ("06-3", one_table, "always one table"),
        ("06-3", two_tables, "always two tables"),
        ("06-3", of_the_body, "the body as the whole"),
        ("06-3", percent, "per cent"),
        ("06-3", percent_of_a_share, "per cent"),
        ("06-3", coarse, "two places"),
        ("06-3", lambda *model: round(raw(*model), 3), "three places"),
        ("06-3", raw, "no rounding"),
        ("06-3", lambda rows, width, tied, body: right_tables(rows, width, tied), "no share"),
        ("06-3", rest, "the share of the rest"),
        ("06-4", largest, "the best bytes per token"),
        ("06-4", smallest, "the smallest table"),
        ("06-4", no_body, "the smallest table"),
        ("06-4", doubled, "two tables"),
        ("06-4", no_width, "the width left out"),
        ("06-4", lowest_cost, "the cost"),
        ("06-4", highest, "the dearest"),
        ("06-5", loss_answer(lambda loss, n, t: loss * n / len(t) / math.log(2)), "characters for bytes"),
        ("06-5", loss_answer(lambda loss, n, t: loss * n / len(t.encode())), "nats"),
        (
            "06-5",
            loss_answer(lambda loss, n, t: right_bits(loss, n, t) * math.log(2) ** 2),
            "multiplying by ln 2",
        ),
        ("06-5", loss_answer(lambda loss, n, t: loss / math.log(2)), "bits per token"),
        ("06-5", loss_answer(lambda loss, n, t: math.log2(math.e) * loss * n), "the whole text"),
        ("06-5", loss_answer(lambda loss, n, t: right_bits(loss, 1, t)), "the tokens left out"),
        (
            "06-5",
            loss_answer(lambda loss, n, t: loss * len(t.encode()) / n / math.log(2)),
            "bytes and tokens exchanged",
        ),
        (
            "06-5",
            loss_answer(lambda loss, n, t: right_bits(loss, n, t) if t else 0, empty=False),
            "0 for nothing",
        ),
        ("06-5", loss_answer(right_bits, empty=False), "no guard"),
        ("06-5", loss_answer(right_bits, places=None), "no rounding"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
