"""The exercises of lesson 01: right answers pass, classic mistakes are named."""

import pytest

from bpe_lessons import check, solutions
from bpe_lessons.exercises.lesson01 import EXERCISES

ANSWERS = {
    exercise.id: getattr(solutions, f"answer_{exercise.id.replace('-', '_')}") for exercise in EXERCISES
}


def second_length(code_point):
    bits = code_point.bit_length()
    return next(size for size, room in ((1, 7), (2, 11), (3, 16), (4, 21)) if bits <= room)


def second_first(data):
    for size in (1, 2, 3, 4):
        try:
            return ord(str(data[:size], "utf-8"))
        except UnicodeDecodeError:
            continue
    raise ValueError(data)


def second_count(data):
    place = count = 0
    while place < len(data):
        head = data[place]
        place += 1 + (head >= 0xC0) + (head >= 0xE0) + (head >= 0xF0)
        count += 1
    return count


def second_entries(words, share):
    times = sorted((words.count(word) for word in set(words)), reverse=True)
    missing, entries = share * len(words), 0
    while missing > 0:
        missing -= times[entries]
        entries += 1
    return entries


SECOND = {
    "01-1": len("déjà 你好吗 🚀".encode()),
    "01-2": second_length,
    "01-3": second_first,
    "01-4": second_count,
    "01-5": second_entries,
}


@pytest.mark.parametrize("id", SECOND)
def test_a_second_right_answer_passes(id):
    assert check(id, SECOND[id]).passed


def late(code_point):
    if code_point <= 0x80:
        return 1
    return 2 if code_point <= 0x800 else 3 if code_point <= 0x10000 else 4


def early(code_point):
    if code_point < 0x7F:
        return 1
    return 2 if code_point < 0x7FF else 3 if code_point < 0xFFFF else 4


def no_frame(code_point):
    return 1 if code_point < 0x100 else 2 if code_point < 0x10000 else 3


def in_base_ten(code_point):
    for size, edge in enumerate((80, 800, 10000), 1):
        if code_point < edge:
            return size
    return 4


def a_whole_byte(code_point):
    if code_point < 256:
        return 1
    return 2 if code_point < 2048 else 3 if code_point < 65536 else 4


def to_the_end(data):
    number = 0
    for byte in data:
        if byte < 0x80:
            number = byte
        elif byte < 0xC0:
            number = number * 64 + byte % 64
        else:
            number = byte % (32 if byte < 0xE0 else 16 if byte < 0xF0 else 8)
    return number


def all_the_rest(data):
    head, *rest = data
    if head < 128:
        return head
    number = head - (0xC0 if head < 0xE0 else 0xE0 if head < 0xF0 else 0xF0)
    for byte in rest:
        number = number * 64 + byte % 64
    return number


def decoder(mask_head=True, mask_tail=True, shift=6, backwards=False):
    """A decoder by hand with some of its parts wrong."""

    def first(data):
        size = 1 if data[0] < 0x80 else 2 if data[0] < 0xE0 else 3 if data[0] < 0xF0 else 4
        parts = list(data[:size])
        if mask_head:
            parts[0] &= {1: 0x7F, 2: 0x1F, 3: 0x0F, 4: 0x07}[size]
        if mask_tail:
            parts[1:] = [byte % 64 for byte in parts[1:]]
        number = 0
        for part in reversed(parts) if backwards else parts:
            number = (number << shift) | part
        return number

    return first


def by_text_order(words, share):
    held, table = 0, []
    for word in words:
        if held >= share * len(words):
            break
        if word not in table:
            table.append(word)
            held += words.count(word)
    return len(table)


def by_count(words, share, rarest_first=False, beyond=False):
    table = sorted(set(words), key=words.count, reverse=not rarest_first)
    held = 0
    for entries in range(len(table) + 1):
        if held > share * len(words) or (not beyond and held == share * len(words)):
            return entries
        held += words.count(table[entries]) if entries < len(table) else 0
    return len(table)


def position(words, share):
    held = 0
    for place, times in enumerate(sorted(map(words.count, set(words)), reverse=True)):
        held += times
        if held >= share * len(words):
            return place
    return None


def rounded_up(number):
    return int(number) + (number > int(number))


WRONG = [
    ("01-1", "counting characters", len("déjà 你好吗 🚀")),
    ("01-1", "counting in UTF-16", len("déjà 你好吗 🚀".encode("utf-16-le"))),
    ("01-1", "counting in UTF-32", len("déjà 你好吗 🚀".encode("utf-32-le"))),
    ("01-1", "two bytes a Hanzi", len("déjà 🚀 ".encode()) + 2 * 3),
    ("01-1", "one byte a letter", len("deja 你好吗 🚀".encode())),
    ("01-1", "three bytes for the rocket", len("déjà 你好吗 你".encode())),
    ("01-2", "an edge taken one too late", late),
    ("01-2", "an edge taken one too early", early),
    ("01-2", "edges in base 10", in_base_ten),
    ("01-2", "one byte for all of Latin-1", a_whole_byte),
    ("01-2", "three for everything but ASCII", lambda n: 1 if n <= 127 else 3),
    ("01-2", "forgetting the fourth row", lambda n: 1 if n < 128 else 2 if n < 2048 else 3),
    ("01-2", "counting the bytes of the number", no_frame),
    ("01-3", "the frame left on the first byte", decoder(mask_head=False)),
    ("01-3", "the frame left on the continuation bytes", decoder(mask_tail=False)),
    ("01-3", "the frame left on every byte", decoder(mask_head=False, mask_tail=False)),
    ("01-3", "the bytes put together backwards", decoder(backwards=True)),
    ("01-3", "moving by eight bits", decoder(shift=8)),
    ("01-3", "reading on past the first character", to_the_end),
    ("01-3", "reading on past the first character", all_the_rest),
    ("01-3", "giving back the first byte", lambda data: int(data[:1].hex(), 16)),
    ("01-4", "counting bytes", lambda data: sum(1 for _ in data)),
    ("01-4", "counting ASCII only", lambda data: len([byte for byte in data if byte <= 0x7F])),
    ("01-4", "counting continuation bytes", lambda data: len([byte for byte in data if byte >> 6 == 2])),
    ("01-4", "leaving ASCII out", lambda data: len([byte for byte in data if byte >> 6 == 3])),
    ("01-5", "counting distinct words", lambda words, share: rounded_up(share * len(set(words)))),
    ("01-5", "counting running words", lambda words, share: rounded_up(share * len(words))),
    ("01-5", "the order of the text", by_text_order),
    ("01-5", "the rarest first", lambda words, share: by_count(words, share, rarest_first=True)),
    ("01-5", "an index given back", position),
    ("01-5", "one entry too many", lambda words, share: by_count(words, share, beyond=True)),
]


@pytest.mark.parametrize(("id", "name", "wrong"), WRONG)
def test_a_classic_mistake_is_named(id, name, wrong):
    report = check(id, wrong)
    assert not report.passed
    assert f"This looks like {name}:" in report.text


def test_a_result_of_another_kind_is_named():
    assert "A number is asked for, not a str." in check("01-1", "21").text
    assert "A number is asked for, not a list." in check("01-4", lambda data: [len(data.decode())]).text
    assert "asked for" not in check("01-1", 20).text


def test_a_forgotten_return_is_named():
    def no_return(code_point):
        if code_point < 0x80:
            return 1

    assert "is there a `return`" in check("01-2", no_return).text


def test_every_mistake_has_its_test():
    named = [(exercise.id, mistake.name) for exercise in EXERCISES for mistake in exercise.mistakes]
    assert sorted(named) == sorted((id, name) for id, name, _ in WRONG)
