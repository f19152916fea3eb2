"""The exercises of lesson 10: right answers pass, classic mistakes are named, shortcuts fail."""

import pytest

from bpe_lessons import check

# Right answers, written in another way than the solutions.


def by_text(ids, vocabulary, letter):
    text = b"".join([vocabulary[id] for id in ids]).decode("utf-8", "ignore")
    return len(text.split(letter)) - 1


def by_intervals(number, total):
    def spans(tokens):
        ends, right = [], sum(map(len, tokens))
        for token in tokens:
            ends.append((right - len(token), right, token))
            right -= len(token)
        return ends

    return tuple(
        tuple(token for a, b, token in spans(number) if max(a, low) < min(b, high))
        for low, high, _ in spans(total)
    )


def by_recursion(prompt, text):
    if prompt and text and prompt[0] == text[0]:
        return by_recursion(prompt[1:], text[1:])
    return len(prompt)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("10-1", (("987", "65"), ("234", "56"), ("122", "221"))),
        ("10-2", by_text),
        ("10-3", by_intervals),
        ("10-4", by_recursion),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def each_alone(ids, vocabulary, letter):
    return sum(vocabulary[id].decode("utf-8", "ignore").count(letter) for id in ids)


def holding(ids, vocabulary, letter):
    return len([id for id in ids if letter.encode() in vocabulary[id]])


def as_set(ids, vocabulary, letter):
    number = 0
    for id in sorted(set(ids)):
        number += vocabulary[id].count(letter.encode())
    return number


def leading_byte(ids, vocabulary, letter):
    return sum(vocabulary[id].count(letter.encode()[0]) for id in ids)


def some_byte(ids, vocabulary, letter):
    data = b"".join(map(vocabulary.get, ids))
    return len([byte for byte in data if byte in letter.encode()])


def decoding(ids, vocabulary, letter):
    return str(b"".join(vocabulary[id] for id in ids), "utf-8").count(letter)


def decoding_each(ids, vocabulary, letter):
    return "".join(str(vocabulary[id], "utf-8") for id in ids).count(letter)


def everything(ids, vocabulary, letter):
    return sum(data.count(letter.encode()) for data in vocabulary.values())


def left_edges(number, total):
    flat = [(i, token) for i, token in enumerate(number) for _ in token]
    found = []
    for token in total:
        part, flat = flat[: len(token)], flat[len(token) :]
        found.append([token for _, token in dict.fromkeys(part)])
    return found


def zipped(number, total):
    return [number[i : i + 1] for i, _ in enumerate(total)]


def zipped_from_right(number, total):
    padded = [[]] * (len(total) - len(number)) + [[token] for token in number]
    return padded[-len(total) :]


def each_column(number, total):
    digits = [token for token in number for _ in token]
    digits = [None] * (len("".join(total)) - len(digits)) + digits
    found = []
    for token in total:
        found.append([owner for owner in digits[: len(token)] if owner])
        digits = digits[len(token) :]
    return found


def no_doubles(number, total):
    return [sorted(set(tokens), key=tokens.index) for tokens in by_intervals(number, total)]


def reversed_inside(number, total):
    return [tokens[::-1] for tokens in by_intervals(number, total)]


def reversed_outside(number, total):
    return list(reversed(by_intervals(number, total)))


def reversed_both(number, total):
    return [tokens[::-1] for tokens in reversed(by_intervals(number, total))]


def first_of_them(number, total):
    return [tokens[:1] for tokens in by_intervals(number, total)]


def last_of_them(number, total):
    return [tokens[-1:] for tokens in by_intervals(number, total)]


def cut_like_the_sum(number, total):
    digits = "".join(number).rjust(len("".join(total)))
    found = []
    for token in total:
        part, digits = digits[: len(token)].strip(), digits[len(token) :]
        found.append([part] if part else [])
    return found


def sizes(number, total):
    return [*map(len, by_intervals(number, total))]


def unequal(prompt, text):
    return len([1 for i, id in enumerate(prompt) if text[i : i + 1] != [id]])


def unequal_pairs(prompt, text):
    return sum(1 for a, b in zip(prompt, text) if a != b)


def foreign(prompt, text):
    return len([id for id in prompt if text.count(id) == 0])


def kept(prompt, text):
    return len(prompt) - by_recursion(prompt, text)


def yes_or_no(prompt, text):
    return 0 if text[: len(prompt)] == prompt else 1


def stops_with_text(prompt, text):
    for i in range(min(len(prompt), len(text))):
        if prompt[i] != text[i]:
            return len(prompt) - i
    return 0


def swapped(prompt, text):
    return by_recursion(text, prompt)


WRONG = [
    ("10-1", [["98", "765"], ["23", "456"], ["122", "221"]], "threes from the right"),
    ("10-1", [[*"98765"], [*"23456"], [*"122221"]], "one digit a token"),
    ("10-1", [["98765"], ["23456"], ["122221"]], "numbers that are not cut"),
    ("10-1", [[987, 65], [234, 56], [122, 221]], "numbers for strings"),
    ("10-1", ["122", "221"], "the sum alone"),
    ("10-1", [["987", "65"], ["234", "56"], ["111", "111"]], "a carry forgotten"),
    ("10-1", ["987", "65", "234", "56", "122", "221"], "one list for all"),
    ("10-2", each_alone, "counting token by token"),
    ("10-2", holding, "tokens that hold the letter"),
    ("10-2", as_set, "each id once"),
    ("10-2", leading_byte, "the first byte for the letter"),
    ("10-2", some_byte, "any byte of the letter"),
    ("10-2", decoding, "bytes that stop it"),
    ("10-2", decoding_each, "decoding token by token"),
    ("10-2", everything, "the whole vocabulary"),
    ("10-3", left_edges, "left edges in line"),
    ("10-3", zipped, "token by token from the left"),
    ("10-3", zipped_from_right, "token by token from the right"),
    ("10-3", each_column, "a token for each column"),
    ("10-3", no_doubles, "equal tokens as one"),
    ("10-3", reversed_inside, "right to left"),
    ("10-3", reversed_outside, "the last token first"),
    ("10-3", reversed_both, "everything backwards"),
    ("10-3", first_of_them, "one token of several"),
    ("10-3", last_of_them, "one token of several"),
    ("10-3", cut_like_the_sum, "digits for tokens"),
    ("10-3", sizes, "how many instead of which"),
    ("10-4", unequal, "places that differ"),
    ("10-4", unequal_pairs, "places that differ"),
    ("10-4", foreign, "ids the text does not hold"),
    ("10-4", kept, "what is kept"),
    ("10-4", yes_or_no, "one or none"),
    ("10-4", stops_with_text, "a zip that ends too early"),
    ("10-4", swapped, "the text for the prompt"),
]


@pytest.mark.parametrize(("id", "answer", "name"), WRONG, ids=[f"{id} {name}" for id, _, name in WRONG])
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
