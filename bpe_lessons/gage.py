"""The compressor of 1994: in each block, the commonest pair of bytes becomes a byte the block does not use.

Source of the method: Philip Gage, "A New Algorithm for Data Compression", The C Users Journal, February
1994. The file format is this module's own:

    1 byte   0: the data follow as they are; 1: blocks follow
    4 bytes  the CRC-32 of the data
    then for each block
    1 byte   n, how many pairs its table holds
    2 bytes  how many symbols it has, 1 to 5,000
    3n bytes the table, in the order learned: the new byte, then the two bytes it stands for
    the symbols, a byte each
"""

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

BLOCK = 5000  # bytes in a block at most
DISTINCT = 200  # byte values in a block at most, so that 56 or more are free
ENTRY = 3  # bytes that a pair costs in the table
HEADER = 5  # bytes before the data or the blocks
AS_IT_IS, IN_BLOCKS = 0, 1

Table = dict[int, bytes]  # new byte -> the two bytes it stands for, in the order learned


def blocks(data: bytes) -> Iterator[bytes]:
    """Yield the data in blocks: each ends at 5,000 bytes, or where a 201st byte value would come in."""
    start, seen = 0, set[int]()
    for end, byte in enumerate(data):
        if end - start == BLOCK or (len(seen) == DISTINCT and byte not in seen):
            yield data[start:end]
            start, seen = end, set()
        seen.add(byte)
    if start < len(data):
        yield data[start:]


def squeeze(block: bytes) -> tuple[Table, bytes]:
    """The table of a block, and the block written with it.

    It stops when the commonest pair (first seen among equals) would save no more bytes than its entry
    costs, or when no byte is free. A block of any length will do.

    >>> squeeze(b"low low low low low")
    ({0: b'lo', 1: b'\\x00w', 2: b'\\x01 '}, b'\\x02\\x02\\x02\\x02\\x01')
    """
    table: Table = {}
    for free in sorted(set(range(256)).difference(block)):
        counts = Counter(zip(block, block[1:]))
        if not counts:
            break
        pair = bytes(max(counts, key=counts.__getitem__))
        shorter = block.replace(pair, bytes([free]))
        if len(block) - len(shorter) <= ENTRY:
            break
        table[free], block = pair, shorter
    return table, block


def unsqueeze(table: Table, symbols: bytes) -> bytes:
    """The block that was written with this table. Raises ValueError when it grows beyond 5,000 bytes."""
    for new, pair in reversed(table.items()):
        symbols = symbols.replace(bytes([new]), pair)
        if len(symbols) > BLOCK:
            raise ValueError(f"damaged: a block of more than {BLOCK:,} bytes")
    return symbols


def compress(data: bytes) -> bytes:
    """The data compressed, at most 5 bytes longer than they were.

    >>> len(compress(b"low " * 1000))
    48
    """
    packed = b"".join(write_block(*squeeze(block)) for block in blocks(data))
    kind, body = (IN_BLOCKS, packed) if len(packed) < len(data) else (AS_IT_IS, data)
    return bytes([kind]) + crc32(data).to_bytes(4, "big") + body


def write_block(table: Table, symbols: bytes) -> bytes:
    """One block of the file: how long the table is, how many symbols there are, the table, the symbols."""
    entries = b"".join(bytes([new]) + pair for new, pair in table.items())
    return bytes([len(table)]) + len(symbols).to_bytes(2, "big") + entries + symbols


def expand(packed: bytes) -> bytes:
    """The data that `compress` packed, at most 5,000 bytes a block.

    Raises ValueError for a file that is damaged or none of this format.
    """
    if len(packed) < HEADER or packed[0] not in (AS_IT_IS, IN_BLOCKS):
        raise ValueError("not packed by this compressor: the first five bytes are no header")
    body = packed[HEADER:]
    data = body if packed[0] == AS_IT_IS else b"".join(unsqueeze(*parts) for parts in read_blocks(body))
    if crc32(data) != int.from_bytes(packed[1:HEADER], "big"):
        raise ValueError("damaged: the check number does not fit the data")
    return data


def read_blocks(body: bytes) -> Iterator[tuple[Table, bytes]]:
    """Yield the table and the symbols of each block. Raises ValueError where a block breaks off or lies."""
    start = 0
    while start < len(body):
        symbols_at = start + 3 + ENTRY * body[start]
        size = int.from_bytes(body[start + 1 : start + 3], "big")
        entries, symbols = body[start + 3 : symbols_at], body[symbols_at : symbols_at + size]
        if len(symbols) < size or not 0 < size <= BLOCK:
            raise ValueError(f"damaged: the block at byte {HEADER + start} is empty, too long or breaks off")
        table = {entries[i]: entries[i + 1 : i + ENTRY] for i in range(0, len(entries), ENTRY)}
        if len(table) < body[start]:
            raise ValueError(f"damaged: the block at byte {HEADER + start} explains a byte twice")
        yield table, symbols
        start = symbols_at + size
