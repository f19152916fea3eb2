"""One small corpus in every form, under every tie rule: whose rules give this list of merges?"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from bpe_lessons import lesson
from bpe_lessons.glyphs import from_glyphs
from bpe_lessons.lesson import Corpus, Pair, Step, Vocabulary
from bpe_lessons.split import count
from bpe_lessons.text import to_bytes

FORMS = {
    "plain": "words, nothing at their end",
    "own": "words, the marker at their end as a symbol of its own",
    "glued": "words, the marker glued to their last symbol",
    "space": "a text cut before its spaces: a space goes with the word after it",
    "text": "the whole text as one piece, spaces and all",
}
ALPHABETS = ("characters", "bytes", "glyphs")
TIES = ("first", "smallest", "greatest")
LONGEST = 100_000  # words in the text of the forms that write it out


@dataclass(frozen=True)
class Rules:
    """One way to run the walkthrough: how words are written, what symbols start, who wins a tie."""

    form: str = "plain"
    ties: str = "first"
    alphabet: str = "characters"
    marker: str = "_"

    def __post_init__(self) -> None:
        for what, value, known in (
            ("form", self.form, FORMS),
            ("tie rule", self.ties, TIES),
            ("alphabet", self.alphabet, ALPHABETS),
        ):
            if value not in known:
                raise ValueError(f"unknown {what} {value!r}; known: {', '.join(known)}")
        if self.form in ("own", "glued") and not self.marker:
            raise ValueError(f"the form {self.form!r} needs a marker")

    def start(self, words: Mapping[str, int]) -> tuple[Corpus, Vocabulary]:
        """The corpus of these words in this form, and its start alphabet (id -> bytes)."""
        for text in (*words, self.marker):
            to_bytes(text)
        if self.form in ("plain", "own", "glued"):
            marker = "" if self.form == "plain" else self.marker
            return lesson.spell(words, self.alphabet, marker, self.form == "glued")
        if sum(words.values()) > LONGEST:
            raise ValueError(f"the form {self.form!r} writes out every word: at most {LONGEST:,} in all")
        text = " ".join(word for word, n in words.items() for _ in range(n))
        return lesson.spell(count(text, "simple" if self.form == "space" else "none"), self.alphabet)

    def run(self, words: Mapping[str, int], steps: int = 10) -> tuple[list[Step], Vocabulary]:
        """The steps of a training under these rules, at most `steps`, and the vocabulary they end with."""
        corpus, start = self.start(words)
        taken = list(lesson.train(corpus, start, steps, self.ties))
        return taken, lesson.grow([step.pair for step in taken], start)


@dataclass(frozen=True)
class Stuck:
    """Where a list of merges becomes impossible in one form: what was wanted, and what the counts were."""

    form: str
    alphabet: str
    step: int  # 1 for the first merge
    wanted: str
    count: int  # how often the wanted token's pair occurs there; 0 where no pair spells it
    best: int
    best_pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Verdict:
    """What a list of merges can come from: named rules, ties broken in some other way, or nothing."""

    matches: tuple[Rules, ...]  # these give exactly the list
    possible: tuple[tuple[str, str], ...]  # (form, alphabet) whose counts allow it under no named tie rule
    stuck: tuple[Stuck, ...]  # if neither: the forms that follow the list furthest


Wanted = tuple[bytes, ...]  # (token,) or (left part, right part)


def parse_merges(listing: str, marker: str = "_") -> list[Wanted]:
    """A reader's list of merges: tokens (`es est lo`), pairs (`e s, es t` or `e + s`), or printed Python.

    Items may be numbered, quoted, one a line, or separated by any of , ; ， ； 、 and `</w>` stands for the
    marker, Ġ and ▁ for a space. Raises ValueError for an empty or unreadable list.
    """
    listing = listing.strip()
    items = _python_items(listing) if listing[:1] in ("[", "(", "{") else _written_items(listing)
    if not items or not all(0 < len(item) <= 2 and all(item) for item in items):
        raise ValueError("the list of merges is empty or holds something that is neither a token nor a pair")
    found = []
    for item in items:
        parts = (part.replace("Ġ", " ").replace("▁", " ").replace("</w>", marker) for part in item)
        found.append(tuple(map(to_bytes, parts)))
    return found


def _written_items(listing: str) -> list[list[str]]:
    lines = [line for line in listing.splitlines() if not line.startswith("#version")]
    text = re.sub(r"(?:^|(?<=\s))\d+[.)]\s", " ", "\n".join(lines))
    items = [
        re.sub(r"[\"'`]", "", item).replace(" + ", " ").split() for item in re.split("[\n,;，；、]", text)
    ]
    items = [item for item in items if item]
    pairs = bool(items) and all(len(item) == 2 for item in items)
    if pairs and (len(items) > 1 or " + " in text or all(len(part) == 1 for part in items[0])):
        return items
    return [[token] for item in items for token in item]


def _python_items(listing: str) -> list[list[str]]:
    """The items of a printed list, tuple or dict of tokens, pairs, or pairs with counts."""
    try:
        parsed = ast.literal_eval(listing)
        if isinstance(parsed, tuple) and len(parsed) == 2 and all(len(part) == 1 for part in parsed):
            parsed = [parsed]  # one pair of letters
        items = []
        for item in parsed:
            if isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[0], tuple | list):
                item = item[0]  # a pair with its count
            parts = item.split() or [item] if isinstance(item, str) and " " in item.strip() else [item]
            parts = list(item) if isinstance(item, tuple | list) else parts
            items.append([part.decode() if isinstance(part, bytes) else part for part in parts])
        if all(isinstance(part, str) for item in items for part in item):
            return items
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    raise ValueError("the list of merges looks like Python but is not a list of tokens or pairs")


def read_as_glyphs(merges: list[Wanted]) -> list[Wanted]:
    """The merges of a list printed in the characters of the Ġ map, as bytes; unchanged if it is none."""
    try:
        # parse_merges has already read the commonest of them, Ġ, as the space
        return [
            tuple(b" ".join(map(from_glyphs, part.decode().split(" "))) for part in item) for item in merges
        ]
    except ValueError:
        return merges


def identify(merges: list[Wanted], words: Mapping[str, int], marker: str = "_") -> Verdict:
    """Every combination of form, tie rule and alphabet that gives the reader's list, compared on bytes."""
    matches = [rules for rules in every_rules(marker) if _gives(rules, words, merges)]
    possible, stuck = [], []
    for form, alphabet in product(FORMS, ALPHABETS):
        failure = _follow(Rules(form, "first", alphabet, marker), words, merges)
        if failure:
            stuck.append(failure)
        elif not any((rules.form, rules.alphabet) == (form, alphabet) for rules in matches):
            possible.append((form, alphabet))
    if matches or possible:
        return Verdict(tuple(matches), tuple(possible), ())
    furthest = max(failure.step for failure in stuck)
    return Verdict((), (), tuple(failure for failure in stuck if failure.step == furthest))


def every_rules(marker: str = "_") -> Iterator[Rules]:
    """Yield every combination of form, tie rule and alphabet."""
    for form, ties, alphabet in product(FORMS, TIES, ALPHABETS):
        yield Rules(form, ties, alphabet, marker)


def _spelled(pair: Pair, vocabulary: Vocabulary, wanted: Wanted) -> Wanted:
    left, right = vocabulary[pair[0]], vocabulary[pair[1]]
    return (left, right) if len(wanted) == 2 else (left + right,)


def _gives(rules: Rules, words: Mapping[str, int], merges: list[Wanted]) -> bool:
    corpus, vocabulary = rules.start(words)
    steps = lesson.train(corpus, vocabulary, len(merges), rules.ties)
    for wanted in merges:
        step = next(steps, None)
        if step is None or _spelled(step.pair, vocabulary, wanted) != wanted:
            return False
        vocabulary[step.new_id] = vocabulary[step.pair[0]] + vocabulary[step.pair[1]]
    return True


def _follow(rules: Rules, words: Mapping[str, int], merges: list[Wanted]) -> Stuck | None:
    """None if some way to break ties gives the list in this form, else the furthest step it fails at."""
    states = [rules.start(words)]
    for number, wanted in enumerate(merges, 1):
        after = []
        for corpus, vocabulary in states:
            counts = lesson.count_pairs(corpus)
            best = max(counts.values(), default=0)
            spelled = {pair: _spelled(pair, vocabulary, wanted) for pair in counts}
            new_id = len(vocabulary)
            for pair in counts:
                if spelled[pair] == wanted and counts[pair] == best:
                    merged = [(lesson.merge(ids, pair, new_id), n) for ids, n in corpus]
                    after.append((merged, vocabulary | {new_id: vocabulary[pair[0]] + vocabulary[pair[1]]}))
        if not after:
            pairs = [
                (vocabulary[left], vocabulary[right]) for (left, right), n in counts.items() if n == best
            ]
            return Stuck(
                rules.form,
                rules.alphabet,
                number,
                " + ".join(part.decode("utf-8", "replace") for part in wanted),
                max((counts[pair] for pair in counts if spelled[pair] == wanted), default=0),
                best,
                tuple(
                    (left.decode("utf-8", "replace"), right.decode("utf-8", "replace"))
                    for left, right in pairs
                ),
            )
        states = after
    return None
