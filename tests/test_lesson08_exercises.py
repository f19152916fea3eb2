"""The exercises of lesson 08: right answers pass, classic mistakes are named, recorded lists are true."""

import io
from functools import cache

import pytest

from bpe_lessons import check, corpus
from bpe_lessons.glyphs import from_glyphs
from bpe_lessons.lesson import choose, count_pairs, grow, merge, spell, train
from bpe_lessons.walkthrough import Rules, identify, parse_merges

WORDS = corpus.words("walkthrough")


def test_a_text_for_a_pair_is_not_right():
    assert "is not right" in check("08-1", "nm m").text


# Right answers, written in another way than the solutions.


def greatest_by_loop(tied):
    best = tied[0]
    for left, right in tied[1:]:
        if (from_glyphs(left), from_glyphs(right)) > (from_glyphs(best[0]), from_glyphs(best[1])):
            best = (left, right)
    return best


def shortest_by_sorting(tied):
    by_spelling = sorted(tied, key="".join)
    return sorted(by_spelling, key=lambda pair: len(pair[0]) + len(pair[1]))[0]


def ties_by_hand(words, merges):
    rows, vocabulary = spell(words, "characters")
    ties = 0
    for _ in range(merges):
        counts = count_pairs(rows)
        if not counts:
            break
        best = sorted(counts.values())[-1]
        leaders = [pair for pair, count in counts.items() if count == best]
        ties += len(leaders) >= 2
        rows = [(merge(ids, leaders[0], len(vocabulary)), n) for ids, n in rows]
        vocabulary[len(vocabulary)] = b""
    return ties


def strings_merged(row, left, right):
    result = []
    for symbol in row:
        if result and result[-1] == left and symbol == right:
            result[-1] = (left, right)  # a symbol that equals neither part
        else:
            result.append(symbol)
    return tuple(result)


def flat(symbol):
    return symbol if isinstance(symbol, str) else "".join(map(flat, symbol))


def sure_by_recursion(words, merges):
    """The intersection of what follows each leader, found from the end backwards."""
    counts = tuple(words.values())

    @cache
    def sure(rows, left):
        found = {}
        for row, n in zip(rows, counts):
            for pair in zip(row, row[1:]):
                found[pair] = found.get(pair, 0) + n
        if not found or not left:
            return frozenset()
        best = max(found.values())
        parts = [
            sure(tuple(strings_merged(row, *pair) for row in rows), left - 1) | {flat(pair)}
            for pair in found
            if found[pair] == best
        ]
        return frozenset.intersection(*parts)

    return tuple(sorted(sure(tuple(map(tuple, words)), merges)))


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("08-1", ["nm", "m"]),
        ("08-2", greatest_by_loop),
        ("08-3", shortest_by_sorting),
        ("08-4", ties_by_hand),
        ("08-5", sure_by_recursion),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Classic mistakes, written anew.


def greatest_as_written(tied):
    return sorted(tied)[-1]


def greatest_joined(tied):
    return max(tied, key=lambda pair: from_glyphs(pair[0] + pair[1]))


def greatest_in_characters(tied):
    return max(tied, key=lambda pair: tuple(from_glyphs(part).decode(errors="replace") for part in pair))


def greatest_given_in_bytes(tied):
    return max((from_glyphs(left), from_glyphs(right)) for left, right in tied)


def greatest_left(tied):
    best = max(from_glyphs(left) for left, _ in tied)
    return next(pair for pair in tied if from_glyphs(pair[0]) == best)


def least(tied):
    return min(tied, key=lambda pair: (from_glyphs(pair[0]), from_glyphs(pair[1])))


def by_bytes(tied):
    return sorted(tied, key=lambda pair: (len("".join(pair).encode()), "".join(pair)))[0]


def by_length_and_left_part(tied):
    return sorted(tied, key=lambda pair: (len("".join(pair)), *pair))[0]


def by_length_of_left_part(tied):
    return sorted(tied, key=lambda pair: (len(pair[0]), len(pair[1]), pair))[0]


def greatest_of_the_shortest(tied):
    return sorted(tied, key=lambda pair: (-len("".join(pair)), "".join(pair)))[-1]


def by_length_alone(tied):
    return sorted(tied, key=lambda pair: len("".join(pair)))[0]


def by_spelling_alone(tied):
    return sorted(tied, key="".join)[0]


def longest(tied):
    return sorted(tied, key=lambda pair: -len("".join(pair)))[0]


def longest_and_greatest(tied):
    return sorted(tied, key=lambda pair: (len("".join(pair)), "".join(pair)))[-1]


def shortest_token(tied):
    return sorted(("".join(pair) for pair in tied), key=lambda token: (len(token), token))[0]


def steps_of(words, merges):
    return train(*spell(words, "characters"), merges)


def more_than_needed(words, merges):
    return sum(len(step.tied[1:]) for step in steps_of(words, merges))


def pairs_in_ties(words, merges):
    sizes = [len(step.tied) for step in steps_of(words, merges)]
    return sum(size for size in sizes if size != 1)


def same_count_as_before(words, merges):
    ties, before = 0, None
    for step in steps_of(words, merges):
        ties += step.count == before
        before = step.count
    return ties


def until_nothing_is_left(words, merges):
    return ties_by_hand(words, 99)


def ties_of_the_smallest(words, merges):
    steps = train(*spell(words, "characters"), merges, "smallest")
    return sum(step.tied != [step.pair] for step in steps)


def clear_rounds(words, merges):
    return sum(step.tied == [step.pair] for step in steps_of(words, merges))


def made(words, merges, ties):
    rows, start = spell(words, "characters")
    grown = grow([step.pair for step in train(rows, start, merges, ties)], start)
    return {token.decode() for id, token in grown.items() if id >= len(start)}


def on_one_road(words, merges):
    return sorted(made(words, merges, "first"))


def on_three_roads(words, merges):
    return sorted(
        made(words, merges, "first") & made(words, merges, "smallest") & made(words, merges, "greatest")
    )


def and_the_letters(words, merges):
    return sorted({*sure_by_recursion(words, merges), *(letter for word in words for letter in word)})


def by_pairs(words, merges):
    """The rounds one after the other, all roads side by side, symbols as nested pairs."""
    roads = {(tuple(map(tuple, words)), frozenset())}
    for _ in range(merges):
        after = set()
        for rows, made in roads:
            found = {}
            for row, n in zip(rows, words.values()):
                for pair in zip(row, row[1:]):
                    found[pair] = found.get(pair, 0) + n
            best = [pair for pair in found if found[pair] == max(found.values())]
            after |= {(tuple(strings_merged(row, *pair) for row in rows), made | {pair}) for pair in best}
            after |= set() if best else {(rows, made)}
        roads = after
    return sorted(map(flat, frozenset.intersection(*(made for _, made in roads))))


def left_in_bytes(words, merges):
    return [token.encode() for token in sure_by_recursion(words, merges)]


def on_any_road(words, merges):
    def walk(rows, vocabulary, left):
        counts = count_pairs(rows)
        for pair in counts if left else ():
            if counts[pair] == max(counts.values()):
                token = vocabulary[pair[0]] + vocabulary[pair[1]]
                found.add(token.decode())
                new_id = len(vocabulary)
                walk([(merge(r, pair, new_id), n) for r, n in rows], {**vocabulary, new_id: token}, left - 1)

    found = set()
    walk(*spell(words, "characters"), merges)
    return sorted(found)


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("08-1", ("n", "zz"), "joined strings"),
        ("08-1", "nmm", "the joined token"),
        ("08-1", ("m", "n"), "the rule smallest"),
        ("08-2", greatest_as_written, "glyphs compared"),
        ("08-2", greatest_joined, "joined bytes"),
        ("08-2", greatest_in_characters, "decoded text compared"),
        ("08-2", greatest_left, "left parts only"),
        ("08-2", lambda tied: next(iter(tied)), "the rule first"),
        ("08-2", least, "the rule smallest"),
        ("08-2", greatest_given_in_bytes, "bytes given back"),
        ("08-3", by_bytes, "length in bytes"),
        ("08-3", by_length_alone, "no second rule"),
        ("08-3", by_length_and_left_part, "the pair compared"),
        ("08-3", by_length_of_left_part, "lengths of the parts"),
        ("08-3", greatest_of_the_shortest, "the greatest among equals"),
        ("08-3", lambda tied: tied.pop(0), "the rule first"),
        ("08-3", by_spelling_alone, "no length"),
        ("08-3", longest, "the longest token"),
        ("08-3", longest_and_greatest, "the longest token, then the greatest"),
        ("08-3", shortest_token, "the joined token given back"),
        ("08-4", more_than_needed, "losers counted"),
        ("08-4", pairs_in_ties, "leaders counted"),
        ("08-4", same_count_as_before, "equal counts in a row"),
        ("08-4", until_nothing_is_left, "the whole training"),
        ("08-4", ties_of_the_smallest, "the rule smallest"),
        ("08-4", clear_rounds, "rounds without a tie"),
        ("08-5", on_any_road, "the tokens of some road"),
        ("08-5", on_three_roads, "the three named rules only"),
        ("08-5", on_one_road, "one road"),
        ("08-5", by_pairs, "pairs compared"),
        ("08-5", left_in_bytes, "tokens in bytes"),
        ("08-5", and_the_letters, "start letters too"),
    ],
)
def test_classic_mistakes_are_diagnosed(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text


# The lists that the lesson records from programs it does not run.

SENTENCEPIECE = "es est lo low ew ▁n ▁low ▁new ▁newest id"
SUBWORD_NMT = "st_ est_ lo west_ ne newest_ low_ wi wid widest_"


def test_the_lesson_shows_these_lists():
    source = (corpus.ROOT / "notebooks" / "08_who_wins_a_tie.ipynb").read_text(encoding="utf-8")
    assert SENTENCEPIECE in source and SUBWORD_NMT in source


def test_sentencepiece_gives_the_recorded_list():
    library = pytest.importorskip("sentencepiece")
    text = " ".join(word for word, times in WORDS.items() for _ in range(times))
    model = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter([text]),
        model_writer=model,
        model_type="bpe",
        vocab_size=24,  # 3 special, 10 merges, 11 characters
        character_coverage=1.0,
        add_dummy_prefix=False,
        minloglevel=5,
    )
    processor = library.SentencePieceProcessor(model_proto=model.getvalue())
    assert [processor.id_to_piece(id) for id in range(3, 13)] == SENTENCEPIECE.split()


def test_the_shortest_token_first_is_sentencepieces_rule():
    """Its list again, from the counts of the form `space` and the rule of exercise 08-3."""
    rows, vocabulary = Rules("space").start(WORDS)
    for wanted in (token for (token,) in parse_merges(SENTENCEPIECE)):
        counts = count_pairs(rows)
        tied = [pair for pair in counts if counts[pair] == max(counts.values())]
        names = {
            tuple(vocabulary[id].decode().replace(" ", "▁") for id in pair): pair for pair in tied
        }  # SentencePiece spells a space as U+2581
        pair = names[shortest_by_sorting(list(names))]
        new_id = len(vocabulary)
        vocabulary[new_id] = vocabulary[pair[0]] + vocabulary[pair[1]]
        assert vocabulary[new_id] == wanted
        rows = [(merge(ids, pair, new_id), n) for ids, n in rows]


def test_subword_nmt_takes_the_greatest_pair_of_glued_symbols():
    """The recorded list from its rule as published: max over (count, pair of strings), </w> on the last."""
    rows = {(*word[:-1], word[-1] + "</w>"): times for word, times in WORDS.items()}
    for wanted in SUBWORD_NMT.replace("_", "</w>").split():
        counts = {}
        for row, times in rows.items():
            for pair in zip(row, row[1:]):
                counts[pair] = counts.get(pair, 0) + times
        left, right = max(counts, key=lambda pair: (counts[pair], pair))
        assert left + right == wanted
        rows = {tuple(map(flat, strings_merged(row, left, right))): times for row, times in rows.items()}
    found = identify(parse_merges(SUBWORD_NMT), WORDS).matches
    assert {(rules.form, rules.ties) for rules in found} == {("glued", "greatest")}


def test_the_pair_of_exercise_1_is_what_choose_takes():
    parts = ["m", "n", "nm", "q", "zz"]
    vocabulary = {id: part.encode() for id, part in enumerate(parts)}
    tied = [(0, 1), (2, 0), (0, 3), (1, 4)]
    assert [parts[id] for id in choose(tied, vocabulary, "greatest")] == ["nm", "m"]
