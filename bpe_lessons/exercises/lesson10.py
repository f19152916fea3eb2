"""The exercises of lesson 10."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake

Ids = Sequence[int]
Vocabulary = dict[int, bytes]


# 10-2: a letter in ids


def letter_in_ids(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return b"".join(vocabulary[id] for id in ids).count(letter.encode())


def token_by_token(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return sum(vocabulary[id].count(letter.encode()) for id in ids)


def tokens_that_hold_it(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return sum(letter.encode() in vocabulary[id] for id in ids)


def each_id_once(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return token_by_token(sorted(set(ids)), vocabulary, letter)


def joined_once(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return letter_in_ids(list(dict.fromkeys(ids)), vocabulary, letter)


def first_byte(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return b"".join(vocabulary[id] for id in ids).count(letter.encode()[:1])


def any_byte(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return sum(byte in letter.encode() for id in ids for byte in vocabulary[id])


def strictly(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return b"".join(vocabulary[id] for id in ids).decode().count(letter)


def strictly_each(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return sum(vocabulary[id].decode().count(letter) for id in ids)


def whole_vocabulary(ids: Ids, vocabulary: Vocabulary, letter: str) -> int:
    return sum(token.count(letter.encode()) for token in vocabulary.values())


STRAWBERRIES = {
    0: b"st",
    1: b"raw",
    2: b"berry",
    3: b" strawberry",
    4: b"\xe8",
    5: b"\x8e\x93",
    6: "草".encode(),
}


def fresh_ids(source: random.Random) -> tuple[Any, ...]:
    letters = "rraeé草莓👋"
    data = "".join(source.choices(letters + " b", k=source.randint(1, 9))).encode()
    data = data[: len(data) - source.randint(0, 1)]
    vocabulary: Vocabulary = {}
    while data:
        end = source.randint(1, 5)
        vocabulary[len(vocabulary) + 10] = data[:end]
        data = data[end:]
    ids = list(vocabulary)
    return (
        ids + source.choices(ids, k=source.randint(0, 3)) if ids else [],
        vocabulary,
        source.choice(letters),
    )


# 10-3: tokens that share a column


def owners_of(number: Sequence[str]) -> list[int]:
    """The index of the token of each column, the units first."""
    return [index for index in reversed(range(len(number))) for _ in number[index]]


def sharing(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    owners, high, found = owners_of(number), sum(map(len, total)), []
    for token in total:
        low = high - len(token)
        found.append([number[index] for index in sorted(set(owners[low:high]))])
        high = low
    return found


def edges_at_the_left(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    owners, low, found = owners_of(number)[::-1], 0, []
    for token in total:
        high = low + len(token)
        found.append([number[index] for index in sorted(set(owners[low:high]))])
        low = high
    return found


def index_by_index(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    return [[number[index]] if index < len(number) else [] for index in range(len(total))]


def index_from_the_right(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    shift = len(total) - len(number)
    return [[number[index - shift]] if index >= shift else [] for index in range(len(total))]


def once_a_column(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    owners, high, found = owners_of(number), sum(map(len, total)), []
    for token in total:
        low = high - len(token)
        found.append([number[index] for index in reversed(owners[low:high])])
        high = low
    return found


def equal_tokens_as_one(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    return [list(dict.fromkeys(tokens)) for tokens in sharing(number, total)]


def right_to_left(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    return [tokens[::-1] for tokens in sharing(number, total)]


def last_token_first(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    return sharing(number, total)[::-1]


def both_backwards(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    return right_to_left(number, total)[::-1]


def one_of_them(which: int) -> Callable[[Sequence[str], Sequence[str]], list[list[str]]]:
    return lambda number, total: [[tokens[which]] if tokens else [] for tokens in sharing(number, total)]


def digits_for_tokens(number: Sequence[str], total: Sequence[str]) -> list[list[str]]:
    digits, high, found = "".join(number)[::-1], sum(map(len, total)), []
    for token in total:
        low = high - len(token)
        found.append([digits[low:high][::-1]] if digits[low:high] else [])
        high = low
    return found


def how_many(number: Sequence[str], total: Sequence[str]) -> list[int]:
    return [len(tokens) for tokens in sharing(number, total)]


def fresh_tokens(source: random.Random) -> tuple[Any, ...]:
    def cut(digits: str) -> list[str]:
        tokens = []
        while digits:
            size = source.randint(1, 4)
            tokens.append(digits[:size])
            digits = digits[size:]
        return tokens

    size = source.randint(1, 8)
    digits = "".join(source.choices("1122345", k=size))
    return cut(digits), cut("".join(source.choices("6789", k=size + source.randint(0, 2))))


# 10-4: tokens to take back


def take_back(prompt: Ids, text: Ids) -> int:
    kept = 0
    while kept < min(len(prompt), len(text)) and prompt[kept] == text[kept]:
        kept += 1
    return len(prompt) - kept


def places_that_differ(prompt: Ids, text: Ids) -> int:
    return sum(left != right for left, right in zip(prompt, text)) + max(0, len(prompt) - len(text))


def places_that_differ_short(prompt: Ids, text: Ids) -> int:
    return sum(left != right for left, right in zip(prompt, text))


def not_in_text(prompt: Ids, text: Ids) -> int:
    return sum(id not in text for id in prompt)


def what_is_kept(prompt: Ids, text: Ids) -> int:
    return len(prompt) - take_back(prompt, text)


def one_or_none(prompt: Ids, text: Ids) -> int:
    return int(list(prompt) != list(text)[: len(prompt)])


def zip_that_ends(prompt: Ids, text: Ids) -> int:
    for kept, (left, right) in enumerate(zip(prompt, text)):
        if left != right:
            return len(prompt) - kept
    return 0


def from_the_text(prompt: Ids, text: Ids) -> int:
    return take_back(text, prompt)


def fresh_prompt(source: random.Random) -> tuple[Any, ...]:
    text = source.choices(range(5), k=source.randint(0, 7))
    prompt = text[: source.randint(0, 7)]
    if prompt and source.random() < 0.5:
        prompt[source.randrange(len(prompt))] = source.randint(5, 6)
    return prompt + source.choices(range(7), k=source.randint(0, 2)), text


EXERCISES: list[Exercise] = [
    Exercise(
        id="10-1",
        right=[["987", "65"], ["234", "56"], ["122", "221"]],
        hints=(
            "First the sum, on paper. Then count off three digits from the left end of each number.",
            "The sum is 122221. Of five digits, the first group takes three and the second two.",
        ),
        mistakes=[
            Mistake(
                "threes from the right",
                [["98", "765"], ["23", "456"], ["122", "221"]],
                "the first group begins at the left end and takes three digits.",
            ),
            Mistake(
                "one digit a token",
                [list("98765"), list("23456"), list("122221")],
                "that is Qwen; here a token takes up to three digits.",
            ),
            Mistake(
                "numbers that are not cut",
                [["98765"], ["23456"], ["122221"]],
                "a token has three digits at most.",
            ),
            Mistake(
                "numbers for strings",
                [[987, 65], [234, 56], [122, 221]],
                "tokens are texts: 065 and 65 are two tokens; write them in quotes.",
            ),
            Mistake("the sum alone", ["122", "221"], "right for the sum; give all three numbers, as lists."),
            Mistake(
                "a carry forgotten",
                [["987", "65"], ["234", "56"], ["111", "111"]],
                "9 + 2 is 11 and a carry comes in; add from the right.",
            ),
            Mistake(
                "one list for all",
                ["987", "65", "234", "56", "122", "221"],
                "right tokens; make a list of each number.",
            ),
        ],
    ),
    Exercise(
        id="10-2",
        right=letter_in_ids,
        cases=[
            ([0, 1, 2], STRAWBERRIES, "r"),
            ([3, 3], STRAWBERRIES, "r"),
            ([6, 4, 5], STRAWBERRIES, "莓"),
            ([6, 6], STRAWBERRIES, "草"),
            ([0], STRAWBERRIES, "x"),
            ([], STRAWBERRIES, "r"),
        ],
        fresh=fresh_ids,
        hints=(
            "A character may lie in two tokens. What has to happen before anything is counted?",
            "Join the bytes of all tokens; bytes have a method count; letter.encode() gives the letter's.",
        ),
        mistakes=[
            Mistake(
                "counting token by token",
                token_by_token,
                "the bytes of one character can lie in two tokens; join all bytes first.",
            ),
            Mistake(
                "tokens that hold the letter",
                tokens_that_hold_it,
                "berry holds two r, and a letter can lie across two tokens.",
            ),
            Mistake("each id once", each_id_once, "an id that comes twice brings its letters twice."),
            Mistake("each id once", joined_once, "an id that comes twice brings its letters twice."),
            Mistake("the first byte for the letter", first_byte, "草 and 莓 begin with the same byte, e8."),
            Mistake("any byte of the letter", any_byte, "all bytes of the letter, in order, are one letter."),
            Mistake(
                "bytes that stop it",
                strictly,
                "the ids may end inside a character; count in the bytes, or decode with errors='replace'.",
            ),
            Mistake(
                "decoding token by token",
                strictly_each,
                "a token need not be a whole text; join all bytes first.",
            ),
            Mistake("the whole vocabulary", whole_vocabulary, "only the tokens of these ids count."),
        ],
    ),
    Exercise(
        id="10-3",
        right=sharing,
        cases=[
            (["987", "65"], ["103", "086"]),
            (["98", "765"], ["103", "086"]),
            (["4", "3"], ["1", "0", "0"]),
            (["1234"], ["12", "34"]),
            (["1", "2", "3", "4"], ["12", "34"]),
            (["5", "5"], ["60"]),
        ],
        fresh=fresh_tokens,
        hints=(
            "Number the columns from the right. Which columns does each token fill?",
            "Make a list that says for each column, from the right, the index of its token in the summand; "
            "a token of the sum with columns low to high needs the indices in that part of the list.",
        ),
        mistakes=[
            Mistake(
                "left edges in line",
                edges_at_the_left,
                "units stand under units; count columns from the right.",
            ),
            Mistake(
                "token by token from the left",
                index_by_index,
                "the n-th token of one number need not have the columns of the n-th of the other.",
            ),
            Mistake(
                "token by token from the right",
                index_from_the_right,
                "tokens have different lengths; compare columns, not places in the list.",
            ),
            Mistake(
                "a token for each column",
                once_a_column,
                "a token that fills two columns is still one token.",
            ),
            Mistake(
                "equal tokens as one",
                equal_tokens_as_one,
                "two tokens may be spelled alike, as in 5 5; tell them apart by their index.",
            ),
            Mistake("right to left", right_to_left, "give the tokens of the summand in the order written."),
            Mistake("the last token first", last_token_first, "begin with the first token of the sum."),
            Mistake("everything backwards", both_backwards, "give both orders as written, from the left."),
            Mistake("one token of several", one_of_them(0), "a token of the sum may need two or more."),
            Mistake("one token of several", one_of_them(-1), "a token of the sum may need two or more."),
            Mistake(
                "digits for tokens",
                digits_for_tokens,
                "give the tokens of the summand whole, also where only some of their digits are needed.",
            ),
            Mistake("how many instead of which", how_many, "give the tokens themselves, as lists."),
        ],
    ),
    Exercise(
        id="10-4",
        right=take_back,
        cases=[
            ([1277, 25], [1277, 1129]),
            ([15339], [15339, 1917]),
            ([15339, 220, 220], [15339, 1917]),
            ([7, 8, 9], [7, 5, 9]),
            ([1, 2, 3], [1, 2]),
            ([4, 4], [5, 4, 4]),
            ([], [5]),
        ],
        fresh=fresh_prompt,
        hints=(
            "How many ids at the beginning are the same, before the first that differs?",
            "Count up while both lists have an id there and the two are equal; the rest of the prompt goes.",
        ),
        mistakes=[
            Mistake(
                "places that differ",
                places_that_differ,
                "after the first difference everything goes, even an id that agrees again.",
            ),
            Mistake(
                "places that differ",
                places_that_differ_short,
                "after the first difference everything goes, and so does what the text is too short for.",
            ),
            Mistake("ids the text does not hold", not_in_text, "the ids have to stand at the same place."),
            Mistake("what is kept", what_is_kept, "the question is how many go, not how many stay."),
            Mistake("one or none", one_or_none, "more than one may have to go."),
            Mistake(
                "a zip that ends too early",
                zip_that_ends,
                "zip stops with the shorter list; a prompt can be longer than the text.",
            ),
            Mistake("the text for the prompt", from_the_text, "take from the prompt, not from the text."),
        ],
    ),
]
