"""The exercises of lesson 06."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake

Curve = Mapping[int, float]  # size of a vocabulary -> bytes per token


# 06-2: how long the tokens are

TOKENS = {0: b"\xe4\xbd", 1: b"\xa0", 2: b" the", 3: b"a", 4: "好".encode(), 5: b"\xf0\x9f", 6: b"\x91\x8b"}


def mean_length(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    if not ids:
        raise ValueError("no ids")
    return sum(len(vocabulary[id]) for id in ids) / len(ids)


def of_decoded(errors: str, in_bytes: bool) -> Callable[..., float]:
    """The same by way of the text of each single token."""

    def wrong(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
        if not ids:
            raise ValueError("no ids")
        texts = [vocabulary[id].decode("utf-8", errors) for id in ids]
        return sum(len(text.encode() if in_bytes else text) for text in texts) / len(ids)

    return wrong


def characters_of_text(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    if not ids:
        raise ValueError("no ids")
    return len(b"".join(vocabulary[id] for id in ids).decode("utf-8", "replace")) / len(ids)


def of_distinct(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    return mean_length(list(set(ids)), vocabulary)


def of_vocabulary(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    if not ids:
        raise ValueError("no ids")
    return mean_length(list(vocabulary), vocabulary)


def unguarded(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    return sum(len(vocabulary[id]) for id in ids) / len(ids)


def zero_for_nothing(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> float:
    return mean_length(ids, vocabulary) if ids else 0


def whole_division(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> int:
    if not ids:
        raise ValueError("no ids")
    return sum(len(vocabulary[id]) for id in ids) // len(ids)


def total_length(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> int:
    if not ids:
        raise ValueError("no ids")
    return sum(len(vocabulary[id]) for id in ids)


def fresh_ids(source: random.Random) -> tuple[Any, ...]:
    return [source.randrange(len(TOKENS)) for _ in range(source.randint(0, 9))], TOKENS


# 06-3: the share of the tables


def table_share(rows: int, width: int, tied: bool, body: int) -> float:
    tables = rows * width * (1 if tied else 2)
    return round(tables / (tables + body), 4)


def share_with(tables: Callable[[int, bool], float]) -> Callable[..., float]:
    """The same with the parameters of the tables counted in another way: from rows x width, and tied."""

    def wrong(rows: int, width: int, tied: bool, body: int) -> float:
        counted = tables(rows * width, tied)
        return round(counted / (counted + body), 4)

    return wrong


def share_of_body(rows: int, width: int, tied: bool, body: int) -> float:
    return round(rows * width * (1 if tied else 2) / body, 4)


def in_percent(rows: int, width: int, tied: bool, body: int) -> float:
    tables = rows * width * (1 if tied else 2)
    return round(100 * tables / (tables + body), 4)


def whole_percent(rows: int, width: int, tied: bool, body: int) -> float:
    tables = rows * width * (1 if tied else 2)
    return round(100 * tables / (tables + body), 2)


def two_places(rows: int, width: int, tied: bool, body: int) -> float:
    return round(not_rounded(rows, width, tied, body), 2)


def three_places(rows: int, width: int, tied: bool, body: int) -> float:
    return round(not_rounded(rows, width, tied, body), 3)


def tables_alone(rows: int, width: int, tied: bool, body: int) -> int:
    return rows * width * (1 if tied else 2)


def not_rounded(rows: int, width: int, tied: bool, body: int) -> float:
    tables = rows * width * (1 if tied else 2)
    return tables / (tables + body)


def share_of_rest(rows: int, width: int, tied: bool, body: int) -> float:
    tables = rows * width * (1 if tied else 2)
    return round(body / (tables + body), 4)


def fresh_model(source: random.Random) -> tuple[Any, ...]:
    rows, width = source.randint(1, 260) * 1000, source.randint(1, 64) * 128
    return rows, width, source.random() < 0.5, source.randint(1, 8000) * 1_000_000


# 06-4: the cheapest size

MEASURED = {2048: 3.38, 4096: 3.89, 8192: 4.35, 16384: 4.75, 32768: 5.01, 65536: 5.18}


def cheapest(curve: Curve, body: int, width: int) -> int:
    return min(curve, key=lambda size: (body + size * width) / curve[size])


def cheapest_by(cost: Callable[[float, int, int, int], float]) -> Callable[..., int]:
    """The size of the lowest cost, worked out from bytes per token, size, body and width."""

    def wrong(curve: Curve, body: int, width: int) -> int:
        return min(curve, key=lambda size: cost(curve[size], size, body, width))

    return wrong


def its_cost(curve: Curve, body: int, width: int) -> float:
    return min((body + size * width) / yields for size, yields in curve.items())


def dearest(curve: Curve, body: int, width: int) -> int:
    return max(curve, key=lambda size: (body + size * width) / curve[size])


def fresh_curve(source: random.Random) -> tuple[Any, ...]:
    curve, yields, gain = {}, source.uniform(1.5, 3), source.uniform(0.15, 0.5)
    for size in MEASURED:
        curve[size] = round(yields, 3)
        yields += gain
        gain *= source.uniform(0.5, 0.9)
    width = 2 ** source.randint(7, 12)
    return curve, round(width * 2 ** source.uniform(11, 19)), width


# 06-5: bits per byte


def bits(mean_loss: float, tokens: int, text: str) -> float:
    if not text:
        raise ValueError("an empty text")
    return round(mean_loss * tokens / len(text.encode()) / math.log(2), 4)


def bits_with(measure: Callable[[float, int, str], float]) -> Callable[..., float]:
    """Another number in its place; the empty text is refused."""

    def wrong(mean_loss: float, tokens: int, text: str) -> float:
        if not text:
            raise ValueError("an empty text")
        return round(measure(mean_loss, tokens, text), 4)

    return wrong


def bits_of_nothing(mean_loss: float, tokens: int, text: str) -> float:
    return bits(mean_loss, tokens, text) if text else 0


def bits_unguarded(mean_loss: float, tokens: int, text: str) -> float:
    return round(mean_loss * tokens / len(text.encode()) / math.log(2), 4)


def bits_not_rounded(mean_loss: float, tokens: int, text: str) -> float:
    if not text:
        raise ValueError("an empty text")
    return mean_loss * tokens / len(text.encode()) / math.log(2)


def fresh_loss(source: random.Random) -> tuple[Any, ...]:
    text = "".join(source.choices(("the ", "low ", "我", "城市", "é", "👋"), k=source.randint(2, 9)))
    return round(source.uniform(0.5, 6), 2), source.randint(2, 12), text


EXERCISES: list[Exercise] = [
    Exercise(
        id="06-1",
        right=[24_576, 12_288],
        hints=(
            "Each of the 8,192 tokens stands for 3.0 bytes in the first model. How many bytes together?",
            "Multiply: [8_192 * 3.0, 8_192 * 1.5].",
        ),
        mistakes=[
            Mistake("8K as 8,000", [24_000, 12_000], "K is 1,024 here, so 8K is 8,192 tokens."),
            Mistake("division", [8192 / 3, 8192 / 1.5], "bytes = tokens x bytes per token."),
            Mistake("division", [2731, 5461], "bytes = tokens x bytes per token."),
            Mistake("the other order", [12_288, 24_576], "the model with 3.0 bytes per token comes first."),
            Mistake("kilobytes", [24, 12], "these are units of 1,024 bytes; give bytes."),
            Mistake("kilobytes", [24.576, 12.288], "these are units of 1,000 bytes; give bytes."),
            Mistake("the same for both", [8_192, 8_192], "that is tokens; the bytes in a token differ."),
            Mistake("the ratio", 2, "right, twice as much; now give both numbers of bytes."),
            Mistake("the ratio", [2, 1], "right, twice as much; now give both numbers of bytes."),
        ],
    ),
    Exercise(
        id="06-2",
        right=mean_length,
        cases=[
            ([2, 3], TOKENS),
            ([0, 1, 4], TOKENS),
            ([5, 6, 2, 2], TOKENS),
            ([], TOKENS),
        ],
        fresh=fresh_ids,
        hints=(
            "The vocabulary gives the bytes of an id; `len` of bytes counts bytes. No text is needed.",
            "Raise ValueError if there are no ids; else sum(len(vocabulary[id]) for id in ids) / len(ids).",
        ),
        mistakes=[
            Mistake(
                "decoding each token alone",
                of_decoded("replace", True),
                "a part of a character becomes U+FFFD, which has three bytes of its own; count raw bytes.",
            ),
            Mistake(
                "decoding each token alone",
                of_decoded("ignore", True),
                "a part of a character vanishes with errors='ignore'; count raw bytes.",
            ),
            Mistake(
                "decoding each token alone",
                of_decoded("strict", True),
                "a part of a character is no text and cannot be decoded; count raw bytes.",
            ),
            *(
                Mistake("characters for bytes", of_decoded(errors, False), "count bytes: 好 has three.")
                for errors in ("replace", "ignore", "strict")
            ),
            Mistake("characters for bytes", characters_of_text, "count bytes: 好 has three."),
            Mistake("each token once", of_distinct, "a token that occurs twice counts twice."),
            Mistake("the whole vocabulary", of_vocabulary, "only the tokens of the text count."),
            Mistake("no guard", unguarded, "without ids the division fails; raise ValueError first."),
            Mistake("0 for nothing", zero_for_nothing, "no tokens have no mean length; raise ValueError."),
            Mistake("whole division", whole_division, "a mean need not be whole; use / and not //."),
            Mistake("the sum", total_length, "divide by the number of tokens."),
        ],
    ),
    Exercise(
        id="06-3",
        right=table_share,
        cases=[
            (50_000, 1_000, True, 50_000_000),
            (50_000, 1_000, False, 50_000_000),
            (128_256, 2_048, True, 973_146_112),
            (32_000, 4_096, False, 6_476_271_616),
        ],
        fresh=fresh_model,
        hints=(
            "First the parameters of the tables: rows x width, once or twice. Then: a share of what?",
            "tables = rows * width * (1 if tied else 2); the whole is tables + body; round to 4 places.",
        ),
        mistakes=[
            Mistake(
                "tied the wrong way round",
                share_with(lambda one, tied: 2 * one if tied else one),
                "tied means that input and output share one table.",
            ),
            Mistake(
                "always one table",
                share_with(lambda one, tied: one),
                "a model that is not tied has a second table at the output.",
            ),
            Mistake(
                "always two tables",
                share_with(lambda one, tied: 2 * one),
                "a tied model has one table for input and output.",
            ),
            Mistake(
                "the body as the whole",
                share_of_body,
                "the whole is tables + body; the body leaves them out.",
            ),
            Mistake("per cent", in_percent, "give a share between 0 and 1."),
            Mistake("per cent", whole_percent, "give a share between 0 and 1."),
            Mistake("two places", two_places, "round to four places."),
            Mistake("three places", three_places, "round to four places."),
            Mistake("no rounding", not_rounded, "round to four places."),
            Mistake("no share", tables_alone, "divide by all parameters, tables + body."),
            Mistake("the share of the rest", share_of_rest, "the share of the tables is asked for."),
        ],
    ),
    Exercise(
        id="06-4",
        right=cheapest,
        cases=[
            (MEASURED, 5_000_000, 256),
            (MEASURED, 85_842_432, 768),
            (MEASURED, 973_146_112, 2_048),
            (MEASURED, 6_979_588_096, 4_096),
        ],
        fresh=fresh_curve,
        hints=(
            "Work out the cost of a byte for every size, then take the size where it is lowest.",
            "min(curve, key=lambda size: (body + size * width) / curve[size]).",
        ),
        mistakes=[
            Mistake(
                "the best bytes per token",
                cheapest_by(lambda yields, size, body, width: -yields),
                "the longest tokens are not the cheapest: every row costs `width` multiply-adds a token.",
            ),
            Mistake(
                "the smallest table",
                cheapest_by(lambda yields, size, body, width: size),
                "its tokens are cheap, but a text needs more of them and each runs through the body: "
                "divide the cost of a token, body and table, by its bytes.",
            ),
            Mistake(
                "two tables",
                cheapest_by(lambda yields, size, body, width: (body + 2 * size * width) / yields),
                "looking a row up costs nothing; only the output layer multiplies.",
            ),
            Mistake(
                "the width left out",
                cheapest_by(lambda yields, size, body, width: (body + size) / yields),
                "each row is a dot product of `width` numbers.",
            ),
            Mistake("the cost", its_cost, "right, that is the lowest cost; give the size that has it."),
            Mistake("the dearest", dearest, "take the lowest cost, not the highest."),
        ],
    ),
    Exercise(
        id="06-5",
        right=bits,
        cases=[
            (2.0, 10, "déjà 🦊 北京 go"),
            (2.5, 4, "I love this city"),
            (2.5, 5, "我爱这座城市"),
            (2.5, 0, ""),
        ],
        fresh=fresh_loss,
        hints=(
            "What does the whole text cost, in nats? Then share that among its bytes, and turn it into bits.",
            "Raise ValueError for an empty text; else mean_loss * tokens / len(text.encode()) / math.log(2), "
            "rounded to 4 places.",
        ),
        mistakes=[
            Mistake(
                "characters for bytes",
                bits_with(lambda loss, tokens, text: loss * tokens / len(text) / math.log(2)),
                "a byte is asked for: len(text.encode()).",
            ),
            Mistake(
                "nats",
                bits_with(lambda loss, tokens, text: loss * tokens / len(text.encode())),
                "a nat is 1 / ln 2 bits, so divide by math.log(2).",
            ),
            Mistake(
                "multiplying by ln 2",
                bits_with(lambda loss, tokens, text: loss * tokens / len(text.encode()) * math.log(2)),
                "a nat is more than a bit, so the number grows: divide by math.log(2).",
            ),
            Mistake(
                "bits per token",
                bits_with(lambda loss, tokens, text: loss / math.log(2)),
                "the whole text costs mean_loss x tokens; share that among its bytes.",
            ),
            Mistake(
                "the whole text",
                bits_with(lambda loss, tokens, text: loss * tokens / math.log(2)),
                "these are the bits of the whole text; share them among its bytes.",
            ),
            Mistake(
                "the tokens left out",
                bits_with(lambda loss, tokens, text: loss / len(text.encode()) / math.log(2)),
                "the loss is a mean over tokens; times tokens gives the whole text.",
            ),
            Mistake(
                "bytes and tokens exchanged",
                bits_with(
                    lambda loss, tokens, text: loss * len(text.encode()) / max(tokens, 1) / math.log(2)
                ),
                "multiply by the tokens and divide by the bytes.",
            ),
            Mistake(
                "0 for nothing", bits_of_nothing, "an empty text has no bits per byte; raise ValueError."
            ),
            Mistake("no guard", bits_unguarded, "for an empty text the division fails; raise ValueError."),
            Mistake("no rounding", bits_not_rounded, "round to four places."),
        ],
    ),
]
