"""The compressor of 1994: what goes in comes out, nothing grows beyond the header, damage is refused."""

import random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXTS

from bpe_lessons import corpus
from bpe_lessons.gage import BLOCK, DISTINCT, HEADER, blocks, compress, expand, squeeze, unsqueeze

REPEATS = st.lists(st.sampled_from([b"ab", b"a", b"abab", b"\x00", b"\xff\x00", b"low "]), max_size=60)
DATA = st.one_of(st.binary(max_size=300), REPEATS.map(b"".join), TEXTS.map(str.encode))


def header(kind, data):
    return bytes([kind]) + crc32(data).to_bytes(4, "big")


def by_hand(packed):
    """An expander written another way: a stack, as in the program of 1994."""
    kind, body = packed[0], list(packed[5:])
    if kind == 0:
        return bytes(body)
    data = bytearray()
    while body:
        pairs, size = body[0], 256 * body[1] + body[2]
        del body[:3]
        table = {}
        for _ in range(pairs):
            new, left, right = body[:3]
            table[new] = (left, right)
            del body[:3]
        stack = body[:size][::-1]
        del body[:size]
        while stack:
            byte = stack.pop()
            if byte in table:
                stack += [table[byte][1], table[byte][0]]
            else:
                data.append(byte)
    return bytes(data)


@given(DATA)
def test_the_same_bytes_come_out_and_nothing_grows_by_more_than_the_header(data):
    packed = compress(data)
    assert expand(packed) == by_hand(packed) == data
    assert len(packed) <= len(data) + HEADER == len(data) + 5


@pytest.mark.parametrize("name", ["english", "chinese", "mixed"])
def test_real_texts_shrink(name):
    data = corpus.text(name).encode()[:26_000]
    packed = compress(data)
    assert expand(packed) == by_hand(packed) == data
    assert len(packed) < 0.8 * len(data)


def test_a_block_by_hand():
    # low becomes two bytes in two rounds, "low " three: each replaces five or four places for a cost of three
    table, symbols = squeeze(b"low low low low low")
    assert table == {0: b"lo", 1: b"\0w", 2: b"\1 "}
    assert symbols == b"\2\2\2\2\1"
    assert compress(b"low low low low low")[5:] == (
        b"\3" + b"\0\5" + b"\0lo" + b"\1\0w" + b"\2\1 " + b"\2\2\2\2\1"
    )


def test_a_pair_must_pay_for_its_entry():
    assert squeeze(b"ab1ab2ab3") == ({}, b"ab1ab2ab3")  # three times saves three bytes, the entry costs three
    assert squeeze(b"ab1ab2ab3ab4") == ({0: b"ab"}, b"\x001\x002\x003\x004")
    assert squeeze(b"aaabdaaabac") == ({}, b"aaabdaaabac")
    assert squeeze(b"aaaaaa")[0] == {}  # five positions, but only three replacements


def test_no_free_byte_no_pair():
    everything = bytes(range(256))
    assert squeeze(everything + b"low " * 100) == ({}, everything + b"low " * 100)
    assert len(squeeze(bytes(range(1, 256)) + b"low " * 100)[0]) == 1
    # cut into blocks, the same data do shrink
    assert len(compress(everything + b"low " * 100)) < 400


def test_bytes_that_occur_are_not_taken():
    table, symbols = squeeze(b"\0low" * 10)
    assert 0 not in table and set(table).isdisjoint(b"\0low")
    assert unsqueeze(table, symbols) == b"\0low" * 10


@given(st.one_of(st.binary(max_size=2000), st.integers(0, 3).map(lambda n: b"ab" * (BLOCK * n // 2 + n))))
def test_blocks(data):
    cut = list(blocks(data))
    assert b"".join(cut) == data and all(cut)
    for block, after in zip(cut, [*cut[1:], b""]):
        assert len(block) <= BLOCK == 5000 and len(set(block)) <= DISTINCT == 200
        if after:  # one byte more would break a rule
            assert len(block) == BLOCK or len(set(block + after[:1])) > DISTINCT


def test_edges_of_a_block():
    assert [len(block) for block in blocks(b"a" * 5000)] == [5000]
    assert [len(block) for block in blocks(b"a" * 5001)] == [5000, 1]
    assert [len(block) for block in blocks(bytes(range(200)) * 2)] == [400]
    assert [len(block) for block in blocks(bytes(range(201)))] == [200, 1]
    assert list(blocks(b"")) == []


def test_nothing_gained_is_kept_as_it_is():
    noise = random.Random(1).randbytes(20_000)
    assert compress(noise) == header(0, noise) + noise
    assert compress(b"") == b"\0\0\0\0\0"
    assert expand(compress(b"")) == b""


@given(DATA.filter(bool), st.data())
def test_one_changed_byte_is_noticed(data, draw):
    packed = bytearray(compress(data))
    place = draw.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= draw.draw(st.integers(1, 255))
    with pytest.raises(ValueError):
        expand(bytes(packed))


@given(DATA.filter(bool), st.integers(0, 400))
def test_a_file_cut_short_is_refused(data, length):
    packed = compress(data)
    if length < len(packed):
        with pytest.raises(ValueError):
            expand(packed[:length])


@given(st.one_of(st.binary(max_size=400), st.binary(max_size=400).map(lambda body: b"\1\0\0\0\0" + body)))
def test_random_bytes_are_refused_or_stand_for_few(packed):
    try:
        data = expand(packed)
    except ValueError:
        return
    assert len(data) <= BLOCK * len(packed)


@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (b"", "header"),
        (b"\0\0\0\0", "header"),
        (b"\2\0\0\0\0", "header"),
        (header(0, b"low") + b"lot", "check number"),
        (header(1, b"") + b"\0", "at byte 5 is empty, too long or breaks off"),
        (header(1, b"") + b"\0\0\0", "at byte 5 is empty"),
        (header(1, b"a") + b"\0\0\1a" + b"\0\0\2a", "at byte 9 is empty, too long or breaks off"),
        (header(1, b"a" * 5001) + b"\0\x13\x89" + b"a" * 5001, "too long"),
        (header(1, b"") + b"\2\0\1" + b"\0ab" + b"\0cd" + b"\0", "explains a byte twice"),
        # each byte stands for two of the one before: thirty entries would make 2 ** 30 bytes
        (
            header(1, b"") + b"\36\0\1" + b"".join(bytes([n, n - 1, n - 1]) for n in range(1, 31)) + b"\36",
            "more than 5,000 bytes",
        ),
        # a byte that stands for itself
        (header(1, b"aa") + b"\1\0\1" + b"aaa" + b"a", None),
    ],
)
def test_damage_is_named(packed, says):
    if says is None:
        assert expand(packed) == b"aa"  # replaced once, not for ever
    else:
        with pytest.raises(ValueError, match=says):
            expand(packed)
