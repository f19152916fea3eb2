"""The exercises of lesson 12: an index, a lazy heap, a safe place to cut, a run."""

import heapq
from random import Random

from bpe_lessons.exercises import Exercise, Mistake

Heap = list[tuple[int, str]]
Taken = tuple[str | None, Heap]


def rows_of_pairs(rows: list[str]) -> dict[str, set[int]]:
    """Each pair -> the set of the numbers of the rows that hold it."""
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for left, right in zip(row, row[1:]):
            found.setdefault(left + right, set()).add(number)
    return found


def _counts_rows(rows: list[str]) -> dict[str, int]:
    return {pair: len(numbers) for pair, numbers in rows_of_pairs(rows).items()}


def _counts_places(rows: list[str]) -> dict[str, int]:
    return {pair: len(numbers) for pair, numbers in _lists_with_repeats(rows).items()}


def _lists_with_repeats(rows: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for left, right in zip(row, row[1:]):
            found.setdefault(left + right, []).append(number)
    return found


def _lists(rows: list[str]) -> dict[str, list[int]]:
    return {pair: sorted(numbers) for pair, numbers in rows_of_pairs(rows).items()}


def _every_second_pair(rows: list[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for i in range(0, len(row) - 1, 2):
            found.setdefault(row[i : i + 2], set()).add(number)
    return found


def _overwrites_rows(rows: list[str]) -> dict[str, set[int]]:
    return {pair: {max(numbers)} for pair, numbers in rows_of_pairs(rows).items()}


def _keeps_the_rows_themselves(rows: list[str]) -> dict[str, set[str]]:
    return {pair: {rows[number] for number in numbers} for pair, numbers in rows_of_pairs(rows).items()}


def pop_best(heap: Heap, counts: dict[str, int]) -> Taken:
    """The best pair, or None, and the sorted list of the entries left."""
    while heap:
        negative, pair = heapq.heappop(heap)
        if -negative == counts[pair]:
            return pair, sorted(heap)
        if counts[pair]:
            heapq.heappush(heap, (-counts[pair], pair))
    return None, []


def _without_check(heap: Heap, counts: dict[str, int]) -> Taken:
    return (heapq.heappop(heap)[1], sorted(heap)) if heap else (None, [])


def _drops_stale_entries(heap: Heap, counts: dict[str, int]) -> Taken:
    while heap:
        negative, pair = heapq.heappop(heap)
        if -negative == counts[pair]:
            return pair, sorted(heap)
    return None, []


def _rebuilds(heap: Heap, counts: dict[str, int]) -> Taken:
    fresh = sorted((-counts[pair], pair) for _, pair in heap if counts[pair])
    return (fresh[0][1], fresh[1:]) if fresh else (None, [])


def _corrects_and_takes(heap: Heap, counts: dict[str, int]) -> Taken:
    while heap:
        _, pair = heapq.heappop(heap)
        if counts[pair]:
            return pair, sorted(heap)
    return None, []


def _keeps_dead_entries(heap: Heap, counts: dict[str, int]) -> Taken:
    while heap:
        negative, pair = heapq.heappop(heap)
        if -negative == counts[pair]:
            return (pair if negative else None), sorted(heap)
        heapq.heappush(heap, (-counts[pair], pair))
    return None, []


def _leaves_the_best_in(heap: Heap, counts: dict[str, int]) -> Taken:
    best, left = pop_best(heap, counts)
    return (best, sorted([*left, (-counts[best], best)])) if best else (best, left)


def last_safe_place(text: str, limit: int) -> int:
    """The last position, at most `limit`, between an ASCII letter and a space; 0 where there is none."""
    for place in range(min(limit, len(text) - 1), 0, -1):
        if text[place] == " " and text[place - 1].isascii() and text[place - 1].isalpha():
            return place
    return 0


def _after_a_newline(text: str, limit: int) -> int:
    return text.rfind("\n", 0, limit) + 1


def _at_any_space(text: str, limit: int) -> int:
    return max(text.rfind(" ", 0, limit + 1), 0)


def _at_the_end(text: str, limit: int) -> int:
    return min(limit, len(text))


def _after_any_letter(text: str, limit: int) -> int:
    places = range(1, min(limit, len(text) - 1) + 1)
    return max((p for p in places if text[p] == " " and text[p - 1].isalpha()), default=0)


def _behind_the_space(text: str, limit: int) -> int:
    places = range(2, min(limit, len(text)) + 1)
    return max((p for p in places if text[p - 1] == " " and _ascii_letter(text[p - 2])), default=0)


def _the_first(text: str, limit: int) -> int:
    places = range(1, min(limit, len(text) - 1) + 1)
    return min((p for p in places if text[p] == " " and _ascii_letter(text[p - 1])), default=0)


def _below_the_limit(text: str, limit: int) -> int:
    return last_safe_place(text, limit - 1)


def _ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()


def every_other(places: list[int]) -> list[int]:
    """The places of a pair of equal symbols that a merge uses."""
    used: list[int] = []
    for place in places:
        if not used or used[-1] != place - 1:
            used.append(place)
    return used


def _every_other_of_all(places: list[int]) -> list[int]:
    return places[::2]


def _all_places(places: list[int]) -> list[int]:
    return places


def _by_parity(places: list[int]) -> list[int]:
    return [place for place in places if place % 2 == places[0] % 2]


def _starts_of_runs(places: list[int]) -> list[int]:
    return [place for place in places if place - 1 not in places]


def _from_the_end(places: list[int]) -> list[int]:
    return [-place for place in every_other([-place for place in reversed(places)])][::-1]


def _fresh_rows(random: Random) -> tuple[list[str]]:
    return (["".join(random.choices("abc", k=random.randint(0, 6))) for _ in range(random.randint(0, 4))],)


def _fresh_heap(random: Random) -> tuple[Heap, dict[str, int]]:
    pairs = random.sample(["es", "st", "lo", "ow", "ne", "er"], random.randint(1, 6))
    was = {pair: random.randint(1, 9) for pair in pairs}
    counts = {pair: random.choice([n, n, random.randint(0, n)]) for pair, n in was.items()}
    return sorted((-n, pair) for pair, n in was.items()), counts


def _fresh_text(random: Random) -> tuple[str, int]:
    text = "".join(random.choices("ab  \n.1我", k=random.randint(4, 14)))
    return text, random.randint(0, len(text))


def _fresh_places(random: Random) -> tuple[list[int]]:
    return (sorted(random.sample(range(1, 16), random.randint(0, 11))),)


EXERCISES = [
    Exercise(
        "12-1",
        right=[4, 3, 2, 1],
        mistakes=[
            Mistake(
                "the counts of the pairs",
                [13, 6, 4, 4],
                "a row is merged once, however often its word occurs.",
            ),
            Mistake("counting places", [5, 3, 2, 1], "banana holds n a twice, and is still one row."),
            Mistake("every row in every round", [4, 4, 4, 4], "an index leaves out rows without the pair."),
        ],
        hints=(
            "The merges are n a, b a, then ba na, then na b. In which words does each stand?",
            "n a stands in all four words. b a stands in banana, bandana and cabana, but not in nab.",
        ),
    ),
    Exercise(
        "12-2",
        right=rows_of_pairs,
        cases=((["low", "lower"],), (["aaa", "ba"],), (["abab"],), ([],)),
        fresh=_fresh_rows,
        mistakes=[
            Mistake("counting places", _counts_places, "the index says where a pair is, not how often."),
            Mistake("counting rows", _counts_rows, "the index says which rows they are, not how many."),
            Mistake(
                "rows entered twice",
                _lists_with_repeats,
                "a row that holds the pair twice is entered, and merged, twice; use a set.",
            ),
            Mistake("lists", _lists, "a set is asked for: a row leaves it in one step."),
            Mistake(
                "skipping overlaps",
                _every_second_pair,
                "every adjacent position counts: low has lo and ow.",
            ),
            Mistake(
                "overwritten rows", _overwrites_rows, "a pair may be in several rows: add to the set it has."
            ),
            Mistake(
                "the rows themselves", _keeps_the_rows_themselves, "rows change; keep their numbers, from 0."
            ),
        ],
        hints=(
            "enumerate(rows) gives each row with its number.",
            "For each pair: found.setdefault(left + right, set()).add(number).",
        ),
    ),
    Exercise(
        "12-3",
        right=pop_best,
        cases=(
            ([(-9, "es"), (-7, "lo")], {"es": 9, "lo": 7}),
            ([(-9, "es"), (-7, "lo")], {"es": 8, "lo": 7}),
            ([(-9, "es"), (-7, "lo"), (-2, "er")], {"es": 3, "lo": 7, "er": 1}),
            ([(-9, "es"), (-7, "lo")], {"es": 0, "lo": 0}),
            ([], {}),
        ),
        fresh=_fresh_heap,
        mistakes=[
            Mistake("no check", _without_check, "an entry may promise too much; compare it with counts."),
            Mistake(
                "dropping stale entries",
                _drops_stale_entries,
                "an entry out of date is still a pair; push it back with its true count.",
            ),
            Mistake(
                "an eager rebuild",
                _rebuilds,
                "you corrected every entry; a lazy heap looks only at those that reach the top.",
            ),
            Mistake(
                "taking a corrected entry at once",
                _corrects_and_takes,
                "with its true count it may no longer be the best; put it back and look at the top again.",
            ),
            Mistake(
                "entries of count 0", _keeps_dead_entries, "a pair that is gone leaves the heap for good."
            ),
            Mistake("the best left in the heap", _leaves_the_best_in, "the pair you return leaves the heap."),
        ],
        hints=(
            "Take the top. Is its count the true one? If not, what belongs into the heap instead?",
            "If it is stale and counts[pair] is not 0, heappush (-counts[pair], pair) and look again.",
        ),
    ),
    Exercise(
        "12-4",
        right=last_safe_place,
        cases=(
            ("one two three", 9),
            ("one two three", 7),
            ("one two three", 6),
            ("one \n  \n two six", 12),
            ("我们 在 a b", 8),
            ("1 2 3", 5),
        ),
        fresh=_fresh_text,
        mistakes=[
            Mistake("cutting after a newline", _after_a_newline, "blanks around a newline can be one piece."),
            Mistake(
                "cutting at any space",
                _at_any_space,
                "spaces in a row can be one piece; a letter must stand before it.",
            ),
            Mistake("cutting at the limit", _at_the_end, "a word there would be cut in two."),
            Mistake("any letter", _after_any_letter, "only an ASCII letter is asked for, and 们 is none."),
            Mistake("cutting behind the space", _behind_the_space, "the space goes with the piece after it."),
            Mistake("the first place", _the_first, "the last one that fits is asked for."),
            Mistake("off by one", _below_the_limit, "the position `limit` itself is allowed."),
        ],
        hints=(
            "Walk down from the limit, and look at text[place] and text[place - 1].",
            'Return place if text[place] == " " and text[place - 1] is an ASCII letter; begin at '
            "min(limit, len(text) - 1).",
        ),
    ),
    Exercise(
        "12-5",
        right=every_other,
        cases=(([1, 2],), ([4, 5, 6],), ([1, 2, 7, 8, 9],), ([3, 5, 8],), ([],)),
        fresh=_fresh_places,
        mistakes=[
            Mistake("every other of all", _every_other_of_all, "each run begins anew with its first place."),
            Mistake("all places", _all_places, "after a merge at 1, the symbol at 2 is used up."),
            Mistake("going by odd and even", _by_parity, "a run may begin at an odd or an even place."),
            Mistake("one place a run", _starts_of_runs, "a long run is merged several times."),
            Mistake("from the right", _from_the_end, "a merge goes from left to right."),
        ],
        hints=(
            "A place cannot be used when the place before it was used.",
            "Keep a list `used`; append a place unless used ends with place - 1.",
        ),
    ),
]
