"""The exercises of lesson 13."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe_lessons.exercises import Exercise, Mistake
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.text import parse_json

Pairs = Sequence[tuple[str, str]]
Vocab = Mapping[str, int]


# 13-2: repair three listings

LISTINGS = (
    '{"normalizer": {"type": "NFC"}, "model": '
    '{"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}',
    '{"model": {"type": "BPE", "vocab": {"l": 0, "o": 1, "lo": 2}, "merges": ["l o"]}}',
    '{"model": {"type": "BPE", "vocab": {"t": 0, "h": 1, "th": 2}, "merges": ["t h"]}}',
)


def content(text: Any) -> Any:
    """What a text holds as JSON, or the ValueError it raises."""
    try:
        return parse_json(text) if isinstance(text, str) else ValueError("no text")
    except ValueError as error:
        return error


def out_of_vocabulary(text: Any) -> bool:
    """Whether it is JSON that stops at a merge whose tokens are not all in the vocabulary."""
    if isinstance(content(text), ValueError):
        return False
    try:
        Pipeline.from_json(content(text))
    except ValueError as error:
        return "not in vocab" in str(error)
    return False


@dataclass(frozen=True, eq=False)
class Holds:
    """Equal to every text that holds this JSON, however it is laid out."""

    json: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and content(other) == content(self.json)


@dataclass(frozen=True, eq=False)
class Fault:
    """Equal to every list in which one of the texts has a fault."""

    test: Callable[[Any], bool]

    def __eq__(self, other: object) -> bool:
        return other is self or (
            isinstance(other, list | tuple)
            and any(self.test(text) for text in other if not isinstance(text, Holds))
        )


# 13-3: encode with a vocabulary and a list of merges


def merged(
    vocab: Vocab, word: str, value_of: Callable[[str, str], float | None], everywhere: bool = False
) -> list[int]:
    """The ids when the neighbours of the lowest value are joined again and again, leftmost first."""
    symbols = list(word)
    while True:
        places = [
            (value, i)
            for i, (left, right) in enumerate(zip(symbols, symbols[1:]))
            if (value := value_of(left, right)) is not None
        ]
        if not places:
            return [vocab[symbol] for symbol in symbols]
        i = min(places)[1]
        if everywhere:
            symbols = pass_over(symbols, symbols[i], symbols[i + 1])
        else:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


def pass_over(symbols: list[str], left: str, right: str) -> list[str]:
    """The symbols after one pass of one rule, from the left."""
    done, i = [], 0
    while i < len(symbols):
        match = symbols[i : i + 2] == [left, right]
        done.append(left + right if match else symbols[i])
        i += 2 if match else 1
    return done


def by_last_place(vocab: Vocab, merges: Pairs, word: str, everywhere: bool = False) -> list[int]:
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    return merged(vocab, word, lambda left, right: ranks.get((left, right)), everywhere)


def by_first_place(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    ranks = {tuple(pair): -rank for rank, pair in enumerate(reversed(merges))}
    return merged(vocab, word, lambda left, right: ranks.get((left, right)))


def by_reverse_place(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    ranks = {tuple(pair): -rank for rank, pair in enumerate(merges)}
    return merged(vocab, word, lambda left, right: ranks.get((left, right)))


def by_id(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    known = {tuple(pair) for pair in merges}
    return merged(vocab, word, lambda left, right: vocab[left + right] if (left, right) in known else None)


def by_id_of_any(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    return merged(vocab, word, lambda left, right: vocab.get(left + right))


def from_left(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    known = {tuple(pair) for pair in merges}
    return merged(vocab, word, lambda left, right: 0 if (left, right) in known else None)


def once_in_order(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    symbols = list(word)
    for left, right in merges:
        symbols = pass_over(symbols, left, right)
    return [vocab[symbol] for symbol in symbols]


def longest(vocab: Vocab, merges: Pairs, word: str) -> list[int]:
    ids = []
    while word:
        token = max((word[:n] for n in range(1, len(word) + 1) if word[:n] in vocab), key=len)
        ids.append(vocab[token])
        word = word[len(token) :]
    return ids


def spelled(vocab: Vocab, merges: Pairs, word: str) -> list[str]:
    names = {id: token for token, id in vocab.items()}
    return [names[id] for id in by_last_place(vocab, merges, word)]


def fresh_merges(source: random.Random) -> tuple[Any, ...]:
    """A vocabulary with ids in any order, merges, at times in a new order or one twice, and a word.

    Drawn again where joining one place at a time and all places at once differ.
    """
    while True:
        tokens = list("abc")
        pairs: list[tuple[str, str]] = []
        for _ in range(source.randint(2, 5)):
            pair = (source.choice(tokens), source.choice(tokens))
            if "".join(pair) not in tokens:
                pairs.append(pair)
                tokens.append("".join(pair))
        if source.random() < 0.3:
            source.shuffle(pairs)
        if pairs and source.random() < 0.3:
            pairs.append(source.choice(pairs))
        source.shuffle(tokens)
        vocab = {token: id for id, token in enumerate(tokens)}
        word = "".join(source.choices("abc", k=source.randint(3, 9)))
        if by_last_place(vocab, pairs, word) == by_last_place(vocab, pairs, word, everywhere=True):
            return vocab, pairs, word


# 13-4: put a template around ids


def processor(single: str, **special: list[int]) -> dict[str, Any]:
    """A TemplateProcessing as the file writes it; `single` holds A and names, a space between."""
    items = [
        {"Sequence": {"id": "A", "type_id": 0}}
        if name == "A"
        else {"SpecialToken": {"id": f"[{name}]", "type_id": 0}}
        for name in single.split()
    ]
    table = {
        f"[{name}]": {"id": f"[{name}]", "ids": ids, "tokens": [f"[{name}]"] * len(ids)}
        for name, ids in special.items()
    }
    return {"type": "TemplateProcessing", "single": items, "special_tokens": table}


def filled(
    ids: list[int], processor: dict[str, Any], of: Callable[[Any, Any], list[Any]], text: Callable[..., Any]
) -> list[Any]:
    """The ids in a template; `of` gives those of an item and its token, `text` those of the sequence."""
    result = []
    for item in processor["single"]:
        if "Sequence" in item:
            result += text(ids)
        else:
            token = item["SpecialToken"]
            result += of(token, processor["special_tokens"][token["id"]])
    return result


def templated(ids: list[int], processor: dict[str, Any]) -> list[int]:
    return filled(ids, processor, lambda item, token: token["ids"], list)


def first_id_only(ids: list[int], processor: dict[str, Any]) -> list[int]:
    return filled(ids, processor, lambda item, token: token["ids"][:1], list)


def type_for_id(ids: list[int], processor: dict[str, Any]) -> list[int]:
    return filled(ids, processor, lambda item, token: [item["type_id"]], list)


def nested_text(ids: list[int], processor: dict[str, Any]) -> list[Any]:
    return filled(ids, processor, lambda item, token: token["ids"], lambda ids: [ids])


def nested_tokens(ids: list[int], processor: dict[str, Any]) -> list[Any]:
    return filled(ids, processor, lambda item, token: [token["ids"]], list)


def all_nested(ids: list[int], processor: dict[str, Any]) -> list[Any]:
    return filled(ids, processor, lambda item, token: [token["ids"]], lambda ids: [ids])


def all_in_front(ids: list[int], processor: dict[str, Any]) -> list[int]:
    return filled([], processor, lambda item, token: token["ids"], list) + ids


def template_not_read(ids: list[int], processor: dict[str, Any]) -> list[int]:
    special = processor["special_tokens"]
    return [*special["[CLS]"]["ids"], *ids, *special["[SEP]"]["ids"]]


def ids_by_heart(ids: list[int], processor: dict[str, Any]) -> list[int]:
    return [8, *ids, 9]


def fresh_template(source: random.Random) -> tuple[Any, ...]:
    names = source.choices(["CLS", "SEP", "X"], k=source.randint(0, 3))
    names.insert(source.randint(0, len(names)), "A")
    start = source.randint(20, 90)
    special = {"CLS": [start], "SEP": [start + 1], "X": [start + 3, start + 2]}
    ids = [source.randint(0, 19) for _ in range(source.randint(0, 5))]
    return ids, processor(" ".join(names), **special)


SPECIAL = {"CLS": [8], "SEP": [9], "X": [5, 6]}
A = {"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4}
B = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}
RANKS_SAY = "the place in the list is the rank; an id says nothing about when a token was made."
ADD_SAYS = "one list goes into another with + or extend; append puts it in as one item."

EXERCISES: list[Exercise] = [
    Exercise(
        id="13-1",
        right=["-x", "-", "-y", "-"],
        hints=(
            "There are four matches. Ask of each: what stands right after it?",
            "A match goes with the stretch after it. After the second hyphen comes a match, no stretch.",
        ),
        mistakes=[
            Mistake("Removed", ["x", "y"], "there the matches are dropped; MergedWithNext keeps them."),
            Mistake("Isolated", ["-", "x", "-", "-", "y", "-"], "there each match stays by itself."),
            Mistake(
                "MergedWithPrevious",
                ["-", "x-", "-", "y-"],
                "there a match goes with what stands before it; here with what comes after.",
            ),
            Mistake("Contiguous", ["-", "x", "--", "y", "-"], "there a run of matches becomes one piece."),
            Mistake(
                "a whole run joined to the next piece",
                ["-x", "--y", "-"],
                "each match is looked at alone; only the last of a run has a stretch after it.",
            ),
            Mistake("the last match lost", ["-x", "-", "-y"], "nothing follows it, and it stays as a piece."),
        ],
    ),
    Exercise(
        id="13-2",
        right=[Holds(text) for text in LISTINGS],
        hints=(
            "Let parse_json say where the first fault is, mend it, and go on until nothing is left to say.",
            "Take out the comment, every ..., every comma before a bracket. The third file then lacks th.",
        ),
        mistakes=[
            Mistake(
                "Python values for JSON text",
                Fault(lambda text: isinstance(text, dict | list)),
                "the answer is three strings; put the text between quotes.",
            ),
            Mistake(
                "a comment left in",
                Fault(lambda text: "//" in str(text)),
                "JSON has no comments of any kind.",
            ),
            Mistake(
                "three dots left in",
                Fault(lambda text: "..." in str(text)),
                "JSON has no sign for what is left out.",
            ),
            Mistake(
                "a comma before a bracket",
                Fault(lambda text: bool(re.search(r",\s*[]}]", str(text)))),
                "in JSON a comma stands between two items only.",
            ),
            Mistake(
                "single quotes",
                Fault(lambda text: "'" in str(text)),
                "JSON knows only double quotes; json.dumps writes them.",
            ),
            Mistake(
                "a token still out of vocabulary",
                Fault(out_of_vocabulary),
                "a merge needs both its parts and what it makes in vocab.",
            ),
            Mistake(
                "another id for th",
                Fault(lambda text: '"th"' in str(text) and content(text) != content(LISTINGS[2])),
                "the ids 0 and 1 are taken; the next free one is 2.",
            ),
            Mistake(
                "a merge taken out",
                Fault(lambda text: bool(re.search(r'"merges":\s*\[\s*]', str(text)))),
                "the file loads then, and encodes differently; mend the vocabulary instead.",
            ),
        ],
    ),
    Exercise(
        id="13-3",
        right=by_last_place,
        cases=[
            (A, [("a", "b"), ("b", "c")], "abc"),
            (A, [("b", "c"), ("a", "b")], "abc"),
            (A, [("a", "b"), ("b", "c"), ("a", "b")], "abc"),
            (B, [("a", "b"), ("ab", "c")], "abcab"),
            (B, [("ab", "c"), ("a", "b")], "abc"),
            (B, [("a", "b")], "abc"),
            (A, [], "cab"),
            (A, [("a", "b")], ""),
        ],
        fresh=fresh_merges,
        hints=(
            "First a dict from pair to place in the list. Then the loop of lesson 03: of all neighbours with "
            "a rank, join the pair with the lowest, and look again.",
            "{pair: rank for rank, pair in enumerate(merges)} keeps the last place of a pair. vocab is asked "
            "only at the end.",
        ),
        mistakes=[
            Mistake("ids taken for ranks", by_id, RANKS_SAY),
            Mistake("ids taken for ranks", by_id_of_any, RANKS_SAY),
            Mistake(
                "longest match",
                longest,
                "a token is taken only where merges lead to it; vocab does not say how.",
            ),
            Mistake(
                "the first of two equal pairs",
                by_first_place,
                "a dict filled in order keeps the last place of a pair, and so does the library.",
            ),
            Mistake(
                "each rule once, in the order of the list",
                once_in_order,
                "that holds for a list as training left it; here a later rule can make parts of an earlier.",
            ),
            Mistake("the merges in reverse", by_reverse_place, "the lowest rank goes first."),
            Mistake(
                "greedy from the left",
                from_left,
                "of all neighbours the lowest rank wins, wherever it stands.",
            ),
            Mistake("tokens instead of ids", spelled, "look each token up in vocab at the end."),
        ],
    ),
    Exercise(
        id="13-4",
        right=templated,
        cases=[
            ([6, 7], processor("CLS A SEP", **SPECIAL)),
            ([6, 7], processor("A SEP", **SPECIAL)),
            ([6, 7], processor("X A", **SPECIAL)),
            ([], processor("CLS A SEP", **SPECIAL)),
            ([1], processor("A SEP X", **SPECIAL)),
            ([1, 2], processor("A", **SPECIAL)),
        ],
        fresh=fresh_template,
        hints=(
            "Start with an empty list. Walk through processor['single']; each item is a dict with one key.",
            "For a 'Sequence' add ids; for a 'SpecialToken' add "
            "processor['special_tokens'][item['SpecialToken']['id']]['ids'].",
        ),
        mistakes=[
            Mistake(
                "only the first of several ids",
                first_id_only,
                "a name can stand for several ids; add them all.",
            ),
            Mistake("the type_id taken for the id", type_for_id, "type_id says which text of a pair it is."),
            Mistake("a list inside the list", nested_text, ADD_SAYS),
            Mistake("a list inside the list", nested_tokens, ADD_SAYS),
            Mistake("a list inside the list", all_nested, ADD_SAYS),
            Mistake(
                "all special tokens in front",
                all_in_front,
                "the Sequence has its own place among the items of single.",
            ),
            Mistake(
                "the template not read",
                template_not_read,
                "special_tokens lists what may be used; single says what is, and where.",
            ),
            Mistake(
                "the template not read",
                ids_by_heart,
                "special_tokens lists what may be used; single says what is, and where.",
            ),
        ],
    ),
    Exercise(
        id="13-5",
        right=[[5, 3], [6], [5, 3, 2]],
        hints=(
            "With true, first ask: is the whole piece a token? Only if not, the merges have their turn.",
            "them: h e, then t he; em finds no e any more. theme is no token, so it is merged, and nothing "
            "makes them inside it.",
        ),
        mistakes=[
            Mistake(
                "looking up whole pieces always",
                [[6], [6], [5, 3, 2]],
                "with false no merge reaches them, so it does not come out.",
            ),
            Mistake(
                "longest match",
                [[5, 3], [6], [6, 2]],
                "only a whole piece is looked up; inside a longer piece them has no merge.",
            ),
            Mistake(
                "longest match",
                [[6], [6], [6, 2]],
                "only a whole piece is looked up, and only with true; all else is merged.",
            ),
            Mistake(
                "no merges at all",
                [[5, 3], [0, 1, 2, 3], [0, 1, 2, 3, 2]],
                "the name misleads: true looks the whole piece up first, and then merges as ever.",
            ),
            Mistake(
                "no merges at all",
                [[5, 3], [6], [0, 1, 2, 3, 2]],
                "the name misleads: a piece that is no token is merged as ever.",
            ),
            Mistake(
                "the flag the other way round",
                [[6], [5, 3], [5, 3, 2]],
                "true means: the whole piece is looked up before any merge.",
            ),
        ],
    ),
]
