"""The exercises of lesson 09: right answers pass, classic mistakes are named, shortcuts fail."""

import re

import pytest

from bpe_lessons import check

# Right answers, written in another way than the solutions.


def cut_by_places(text, special, allowed):
    starts = [
        (i, -len(token), token) for token in special for i in range(len(text)) if text[i:].startswith(token)
    ]
    parts, done = [], 0
    for i, _, token in sorted(starts):
        if i < done:
            continue
        if token not in set(allowed):
            raise ValueError(token)
        parts += [text[done:i], token]
        done = i + len(token)
    return list(filter(None, [*parts, text[done:]]))


def joined_headers(messages):
    def header(role):
        return f"<|start_header_id|>{role}<|end_header_id|>\n\n"

    said = [header(role) + content.strip() + "<|eot_id|>" for role, content in messages]
    return "".join(["<|begin_of_text|>", *said, header("assistant")])


def owners_by_overlap(stretch, cut):
    texts, end = [], 0
    for kind, data in stretch:
        if kind == "text":
            texts.append(range(end, end + len(data)))
        end += len(data)
    found, start = [], 0
    for token in cut:
        covered = set(range(start, start + len(token)))
        found.append("text" if any(covered & set(places) for places in texts) else "content")
        start += len(token)
    return tuple(found)


def closed_form(system, question, answer, n, cached):
    q, a = question + 5, answer + 5
    if cached:
        return system + 8 + n * q + (n - 1) * a
    return n * (system + 8) + q * n * (n + 1) // 2 + a * n * (n - 1) // 2


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("09-1", 4 * 5 + 3 + sum([40, 8, 25, 12])),
        ("09-2", cut_by_places),
        ("09-3", joined_headers),
        ("09-4", owners_by_overlap),
        ("09-5", closed_form),
    ],
)
def test_another_right_answer_passes(id, answer):
    assert check(id, answer).passed, check(id, answer)


# Wrong answers a learner might write.


def alternatives(text, order):
    return re.split("(" + "|".join(re.escape(token) for token in order) + ")", text)


def checked(parts, allowed):
    for token in parts[1::2]:
        if token not in allowed:
            raise ValueError
    return [part for part in parts if part != ""]


def as_listed(text, special, allowed):
    return checked(alternatives(text, special), allowed)


def short_first(text, special, allowed):
    return checked(alternatives(text, sorted(special, key=len)), allowed)


def only_allowed(text, special, allowed):
    order = sorted(allowed, key=lambda token: -len(token))
    return [part for part in alternatives(text, order) if part] if order else [text] * bool(text)


def split_at_allowed(text, special, allowed):
    order = sorted(allowed, key=lambda token: -len(token))
    return [part for part in alternatives(text, order) if part]


def as_patterns(text, special, allowed):
    order = sorted(special, key=lambda token: -len(token))
    return checked(re.split(f"({'|'.join(order)})", text), allowed)


def allowed_then_rest(text, special, allowed):
    parts = only_allowed(text, special, allowed)
    for part in parts:
        if part not in allowed and any(token in part for token in special):
            raise ValueError(part)
    return parts


def in_text(text, special, allowed):
    for token in set(special) - set(allowed):
        if text.find(token) >= 0:
            raise ValueError(token)
    return cut_by_places(text, special, allowed)


def empties(text, special, allowed):
    parts = alternatives(text, sorted(special, key=len)[::-1])
    checked(parts, allowed)
    return parts


B, S, E, T = "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"
OPEN = f"{S}assistant{E}\n\n"


def unstripped(messages):
    return B + "".join(f"{S}{r}{E}\n\n{c}{T}" for r, c in messages) + OPEN


def single_newline(messages):
    return B + "".join(f"{S}{r}{E}\n{c.strip()}{T}" for r, c in messages) + OPEN[:-1]


def unopened(messages):
    return B + "".join(f"{S}{r}{E}\n\n{c.strip()}{T}" for r, c in messages)


def half_opened(messages):
    return joined_headers(messages).removesuffix("\n\n")


def closed(messages):
    return joined_headers([*messages, ("assistant", "")])[: -len(OPEN)]


def endless(messages):
    return B + "".join(f"{S}{r}{E}\n\n{c.strip()}" for r, c in messages) + OPEN


def chatml_ends(messages):
    return B + "".join(f"{S}{r}{E}\n\n{c.strip()}{T}\n" for r, c in messages) + OPEN


def begin_again(messages):
    return "".join(f"{B}{S}{r}{E}\n\n{c.strip()}{T}" for r, c in messages) + OPEN


def beginless(messages):
    return joined_headers(messages).removeprefix(B)


def gemma_way(messages):
    said = [(role, content.strip()) for role, content in messages if role != "system"]
    for _, system in messages[: len(messages) - len(said)]:
        said[0] = ("user", f"{system}\n\n{said[0][1]}")
    return B + "".join(f"{S}{role}{E}\n\n{content}{T}" for role, content in said) + OPEN


def labels(stretch):
    return "".join(("t" if kind == "text" else "c") * len(data) for kind, data in stretch)


def byte_owner(pick):
    def owners(stretch, cut):
        marks, found, at = labels(stretch), [], 0
        for token in cut:
            found.append({"t": "text", "c": "content"}[pick(marks[at : at + len(token)])])
            at += len(token)
        return found

    return owners


def found_in_content(stretch, cut):
    inside = b"|".join(data for kind, data in stretch if kind == "content")
    return ["content" if token in inside else "text" for token in cut]


def found_in_text(stretch, cut):
    found = []
    for token in cut:
        kinds = [kind for kind, data in stretch if kind == "text" and data.find(token) >= 0]
        found.append(kinds[0] if kinds else "content")
    return found


def loop(system, question, answer, n, cached, **off):
    """The bill by a loop over the turns, with one thing done otherwise."""
    around, opening = off.get("around", 5), off.get("opening", 3)
    total, history, before = 0, system + around, 0
    for _ in range(n):
        history += question + around
        prompt = history + opening
        total += prompt - before if cached else prompt
        before = prompt - off.get("forgotten", 0)
        history += answer + around
    return total


def without_history(system, question, answer, n, cached):
    if cached:
        return loop(system, question, answer, n, True)
    return (system + 5 + question + 5 + 3) * n


def with_last_answer(system, question, answer, n, cached):
    extra = 1 if cached else n
    return loop(system, question, answer, n, cached) + extra * (answer + 5)


def without_opening(system, question, answer, n, cached):
    return loop(system, question, answer, n, cached, opening=0)


def content_only(system, question, answer, n, cached):
    return loop(system, question, answer, n, cached, around=0, opening=0)


def system_read_once(system, question, answer, n, cached):
    if cached:
        return loop(system, question, answer, n, True)
    return loop(-5, question, answer, n, False) + system + 5


def opening_twice(system, question, answer, n, cached):
    return loop(system, question, answer, n, cached, forgotten=3)


def system_cached(system, question, answer, n, cached):
    return loop(system, question, answer, n, False) - (n - 1) * (system + 5) * cached


def bare_system(system, question, answer, n, cached):
    return closed_form(system, question, answer, n, cached) - 5 * (1 if cached else n)


def cache_ignored(system, question, answer, n, cached):
    return closed_form(system, question, answer, n, False)


def always_cached(system, question, answer, n, cached):
    return loop(system, question, answer, n, True)


@pytest.mark.parametrize(
    ("id", "answer", "name"),
    [
        ("09-1", 40 + 8 + 25 + 12, "the content alone"),
        ("09-1", 85 + 20, "no opening of the answer"),
        ("09-1", 85 + 5 + 3, "one wrapping for all"),
        ("09-1", 85 + 4 * 3 + 3, "3 tokens around a message"),
        ("09-1", 85 + 5 * 5, "5 tokens for the opening"),
        ("09-1", 45 + 13 + 17 + 3, "no assistant"),
        ("09-1", 13 + 30 + 17 + 3, "no system message"),
        ("09-1", 30 + 17, "only what is new"),
        ("09-2", as_listed, "the first in the list"),
        ("09-2", short_first, "the shortest token"),
        ("09-2", only_allowed, "the rest read as text"),
        ("09-2", split_at_allowed, "the rest read as text"),
        ("09-2", as_patterns, "a token read as a pattern"),
        ("09-2", allowed_then_rest, "the allowed tokens cut first"),
        ("09-2", in_text, "searching the text for each token"),
        ("09-2", empties, "empty parts"),
        ("09-3", unstripped, "blanks that stay"),
        ("09-3", single_newline, "one newline"),
        ("09-3", unopened, "no opening of the answer"),
        ("09-3", half_opened, "no newlines behind the last header"),
        ("09-3", closed, "an answer that is closed"),
        ("09-3", endless, "no end of a message"),
        ("09-3", chatml_ends, "a newline behind each message"),
        ("09-3", begin_again, "a beginning for each message"),
        ("09-3", beginless, "no beginning"),
        ("09-3", gemma_way, "the system text folded"),
        ("09-4", byte_owner(lambda marks: marks[0]), "the first byte decides"),
        ("09-4", byte_owner(lambda marks: marks[-1]), "the last byte decides"),
        ("09-4", byte_owner(min), "content wins"),
        ("09-4", byte_owner(lambda m: "c" if m.count("c") > m.count("t") else "t"), "the majority decides"),
        ("09-4", found_in_content, "searching the bytes"),
        ("09-4", found_in_text, "searching the bytes"),
        ("09-5", without_history, "no history"),
        ("09-5", with_last_answer, "the last answer read"),
        ("09-5", without_opening, "no opening of the answer"),
        ("09-5", content_only, "the content alone"),
        ("09-5", system_read_once, "the system message once"),
        ("09-5", opening_twice, "the opening counted twice"),
        ("09-5", system_cached, "only the system message cached"),
        ("09-5", bare_system, "nothing around the system message"),
        ("09-5", cache_ignored, "no cache at all"),
        ("09-5", always_cached, "a cache where there is none"),
    ],
)
def test_classic_mistake_is_named(id, answer, name):
    report = check(id, answer)
    assert not report.passed
    assert f"This looks like {name}:" in report.text, report
