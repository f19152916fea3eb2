"""The exercises of lesson 09."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from bpe_lessons.chat import TEMPLATES, render
from bpe_lessons.exercises import Exercise, Mistake

Said = Sequence[tuple[str, str]]  # (role, content)
Stretch = Sequence[tuple[str, bytes]]  # (kind, bytes)

# 09-2: cut at the allowed special tokens, refuse the others

MARKS = ["<a>", "<a><b>", "[c]"]


def scanned(
    text: str,
    special: Sequence[str],
    allowed: Sequence[str],
    pick: Callable[[list[str]], str],
    refuse: bool = True,
) -> list[str]:
    """The parts; `pick` chooses among the tokens that begin at one place, in the order given."""
    parts, plain, i = [], "", 0
    while i < len(text):
        fitting = [token for token in special if text.startswith(token, i)]
        token = pick(fitting) if fitting else ""
        if token and token not in allowed and refuse:
            raise ValueError(f"{token} is not allowed")
        if token in allowed and token:
            parts += [plain, token]
            plain = ""
        else:
            plain += token or text[i]
        i += len(token) or 1
    return [part for part in [*parts, plain] if part]


def longest(tokens: list[str]) -> str:
    return max(tokens, key=len)


def allowed_parts(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    return scanned(text, special, allowed, longest)


def first_listed(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    return scanned(text, special, allowed, lambda tokens: tokens[0])


def first_by_split(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    """The same with `re.split`, which also tries the alternatives in the order given."""
    parts = re.split("(" + "|".join(map(re.escape, special)) + ")", text)
    if any(part not in allowed for part in parts[1::2]):
        raise ValueError("not allowed")
    return [part for part in parts if part]


def shortest(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    return scanned(text, special, allowed, lambda tokens: min(tokens, key=len))


def others_as_text(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    return scanned(text, allowed, allowed, longest)


def others_by_split(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    """The same with `re.split`, which cuts everywhere if nothing is allowed."""
    longest_first = sorted(allowed, key=len, reverse=True)
    return [part for part in re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text) if part]


def unescaped(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    parts = re.split("(" + "|".join(sorted(special, key=len, reverse=True)) + ")", text)
    if any(part not in allowed for part in parts[1::2]):
        raise ValueError("not allowed")
    return [part for part in parts if part]


def others_as_whole_text(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    return scanned(text, special, allowed, longest, refuse=False)


def allowed_first(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    parts = scanned(text, allowed, allowed, longest)
    if any(token in part for part in parts if part not in allowed for token in special):
        raise ValueError("not allowed")
    return parts


def searched(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    if any(token in text for token in special if token not in allowed):
        raise ValueError("not allowed")
    return allowed_parts(text, special, allowed)


def with_empty_parts(text: str, special: Sequence[str], allowed: Sequence[str]) -> list[str]:
    allowed_parts(text, special, allowed)
    longest_first = sorted(special, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


def fresh_marks(source: random.Random) -> tuple[Any, ...]:
    text = "".join(source.choices(["<a>", "<a><b>", "[c]", "x", "<"], k=source.randint(1, 5)))
    return text, source.sample(MARKS, 3), source.sample(MARKS, source.randint(1, 3))


# 09-3: write a conversation for Llama-3


def llama_3(messages: Said) -> str:
    return render([{"role": role, "content": content} for role, content in messages], TEMPLATES["Llama-3"])


def header(role: str, gap: str = "\n\n") -> str:
    return f"<|start_header_id|>{role}<|end_header_id|>{gap}"


def spelled(
    messages: Said,
    strip: bool = True,
    gap: str = "\n\n",
    end: str = "<|eot_id|>",
    opening: str | None = None,
    begin_each: bool = False,
    begin: str = "<|begin_of_text|>",
) -> str:
    """The conversation with one thing done otherwise."""
    text = "" if begin_each else begin
    for role, content in messages:
        text += begin * begin_each + header(role, gap) + (content.strip() if strip else content) + end
    return text + (header("assistant", gap) if opening is None else opening)


def variant(**otherwise: Any) -> Callable[[Said], str]:
    return lambda messages: spelled(messages, **otherwise)


def folded(messages: Said) -> str:
    system = [content for role, content in messages if role == "system"]
    rest = [(role, content.strip()) for role, content in messages if role != "system"]
    if system and rest:
        rest[0] = rest[0][0], f"{system[0]}\n\n{rest[0][1]}"
    return spelled(rest)


def fresh_messages(source: random.Random) -> tuple[Any, ...]:
    blanks = ["", " ", "\n", "  "]
    contents = [
        source.choice(blanks) + source.choice(["Hi", "你好", "no \n no"]) + source.choice(blanks)
        for _ in range(4)
    ]
    said = [("user", contents[0]), ("assistant", contents[1]), ("user", contents[2])]
    system = [("system", f"Say {contents[3].strip()}.")] * source.randint(0, 1)
    return (system + said[: source.choice([1, 3])],)


# 09-4: the owners of tokens


def decided(stretch: Stretch, cut: Sequence[bytes], by: Callable[[list[str]], str]) -> list[str]:
    """The kind of each token, chosen from the kinds of its bytes."""
    labels = [kind for kind, data in stretch for _ in data]
    kinds, start = [], 0
    for token in cut:
        kinds.append(by(labels[start : start + len(token)]))
        start += len(token)
    return kinds


def owned(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    return decided(stretch, cut, lambda kinds: "text" if "text" in kinds else "content")


def by_first_byte(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    return decided(stretch, cut, lambda kinds: kinds[0])


def by_last_byte(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    return decided(stretch, cut, lambda kinds: kinds[-1])


def content_wins(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    return decided(stretch, cut, lambda kinds: "content" if "content" in kinds else "text")


def by_majority(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    return decided(
        stretch, cut, lambda kinds: "content" if 2 * kinds.count("content") > len(kinds) else "text"
    )


def by_search(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    contents = [data for kind, data in stretch if kind == "content"]
    return ["content" if any(token in data for data in contents) else "text" for token in cut]


def by_search_of_text(stretch: Stretch, cut: Sequence[bytes]) -> list[str]:
    texts = [data for kind, data in stretch if kind == "text"]
    return ["text" if any(token in data for data in texts) else "content" for token in cut]


def fresh_stretch(source: random.Random) -> tuple[Any, ...]:
    kinds = ["text", "content"] * 2
    first = source.randint(0, 1)
    stretch = [
        (kind, "".join(source.choices("ab你\n", k=source.randint(0, 3))).encode())
        for kind in kinds[first : first + 3]
    ]
    data, cut = b"".join(part for _, part in stretch), []
    while data:
        size = source.randint(1, 3)
        cut.append(data[:size])
        data = data[size:]
    return stretch, cut


# 09-5: the bill


def bill(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    """The tokens read in n turns: every prompt, or with a cache the last one."""
    prompts = [system + 8 + turn * (question + 5) + (turn - 1) * (answer + 5) for turn in range(1, n + 1)]
    return prompts[-1] if cached else sum(prompts)


def no_history(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, cached) if cached else n * (system + 8 + question + 5)


def last_answer_read(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, cached) + (answer + 5) * (1 if cached else n)


def no_opening(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system - 3, question, answer, n, cached)


def only_content(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system - 8, question - 5, answer - 5, n, cached)


def system_once(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, cached) - (0 if cached else (n - 1) * (system + 5))


def opening_each_time(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, cached) + (3 * (n - 1) if cached else 0)


def only_system_cached(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    whole = bill(system, question, answer, n, False)
    return whole - (n - 1) * (system + 5) if cached else whole


def nothing_around_the_system(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system - 5, question, answer, n, cached)


def never_cached(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, False)


def last_prompt_only(system: int, question: int, answer: int, n: int, cached: bool) -> int:
    return bill(system, question, answer, n, True)


def fresh_bill(source: random.Random) -> tuple[Any, ...]:
    sizes = (source.randint(0, 3000), source.randint(1, 50), source.randint(1, 90))
    return *sizes, source.randint(1, 12), source.random() < 0.5


EXERCISES = [
    Exercise(
        id="09-1",
        right=108,
        mistakes=[
            Mistake(
                "the content alone", 85, "each message has 5 tokens around it, and the answer is opened."
            ),
            Mistake("no opening of the answer", 105, "<|im_start|>, assistant and a newline come last."),
            Mistake("one wrapping for all", 93, "each of the four messages has its own 5 tokens."),
            Mistake("3 tokens around a message", 100, "two more close it: <|im_end|> and a newline."),
            Mistake("5 tokens for the opening", 110, "the answer is not closed yet, so it is 3."),
            Mistake("no assistant", 78, "the old answer is part of the prompt."),
            Mistake("no system message", 63, "the system message is sent every time."),
            Mistake("only what is new", 47, "with a cache less is new, but the prompt holds everything."),
        ],
        hints=(
            "Four messages, and then the answer is opened.",
            "Content 40 + 8 + 25 + 12, five tokens around each of the four, three at the end.",
        ),
    ),
    Exercise(
        id="09-2",
        right=allowed_parts,
        cases=[
            ("x<a>y", MARKS, ["<a>"]),
            ("<a><a>", MARKS, ["<a>"]),
            ("<a><b>x", MARKS, MARKS),
            ("<a><b>x", MARKS, ["<a>"]),
            ("<a><b>x", MARKS, ["<a><b>"]),
            ("x[c]", MARKS, ["[c]"]),
            ("x[c]", MARKS, ["<a>"]),
            ("<a", MARKS, []),
            ("", MARKS, []),
        ],
        fresh=fresh_marks,
        mistakes=[
            Mistake("the first in the list", first_listed, "sort by length: the longest token counts."),
            Mistake("the first in the list", first_by_split, "sort by length: the longest token counts."),
            Mistake("the shortest token", shortest, "where several begin, the longest counts."),
            Mistake("the rest read as text", others_as_text, "a token that is not allowed is an error."),
            Mistake(
                "the rest read as text", others_as_whole_text, "a token that is not allowed is an error."
            ),
            Mistake("the rest read as text", others_by_split, "a token that is not allowed is an error."),
            Mistake(
                "a token read as a pattern",
                unescaped,
                "as a pattern [c] matches the letter c; re.escape makes it match itself.",
            ),
            Mistake(
                "the allowed tokens cut first",
                allowed_first,
                "look for all special tokens; a longer one that is not allowed begins there.",
            ),
            Mistake(
                "searching the text for each token",
                searched,
                "<a> stands inside the allowed <a><b>, but it is not the token there.",
            ),
            Mistake("empty parts", with_empty_parts, "re.split leaves empty strings at the edges."),
        ],
        hints=(
            "Cut at all special tokens, as `segments` does. Then look at the tokens you found.",
            "In the list of re.split every second part is a token. One that is not in `allowed` raises; "
            "in the end leave the empty parts out.",
        ),
    ),
    Exercise(
        id="09-3",
        right=llama_3,
        cases=[
            ([],),
            ([("user", "Hi")],),
            ([("system", "Be brief."), ("user", "Hi")],),
            ([("user", " Hi ")],),
            ([("user", "Hi"), ("assistant", "Ho"), ("user", "Bye")],),
        ],
        fresh=fresh_messages,
        mistakes=[
            Mistake("blanks that stay", variant(strip=False), "take the blanks off with .strip()."),
            Mistake("one newline", variant(gap="\n"), "two newlines follow each header."),
            Mistake(
                "no opening of the answer", variant(opening=""), "the header of the assistant comes last."
            ),
            Mistake(
                "no newlines behind the last header",
                variant(opening=header("assistant", "")),
                "the header of the answer has its two newlines as well.",
            ),
            Mistake(
                "an answer that is closed",
                lambda messages: spelled(messages) + "<|eot_id|>",
                "the model writes its <|eot_id|> itself.",
            ),
            Mistake("no end of a message", variant(end=""), "each message ends with <|eot_id|>."),
            Mistake("a newline behind each message", variant(end="<|eot_id|>\n"), "that is ChatML's way."),
            Mistake("a beginning for each message", variant(begin_each=True), "it stands once, in front."),
            Mistake("no beginning", variant(begin=""), "<|begin_of_text|> stands in front, once."),
            Mistake("the system text folded", folded, "in Llama-3 the system has a message of its own."),
        ],
        hints=(
            "A header: the role between two special tokens, two newlines. The answer opens with one too.",
            "Begin with <|begin_of_text|>; for each message header(role) + content.strip() + <|eot_id|>; "
            "then header('assistant').",
        ),
    ),
    Exercise(
        id="09-4",
        right=owned,
        cases=[
            ([("text", b"user\n"), ("content", b"hi")], [b"user", b"\n", b"hi"]),
            ([("text", b"user\n"), ("content", b"\nhi")], [b"user", b"\n\n", b"hi"]),
            ([("text", b"a"), ("content", b"aba"), ("text", b"a")], [b"a", b"ab", b"aa"]),
            ([("content", b"hi"), ("text", b"!")], [b"hi!"]),
            ([("content", "你".encode()), ("text", b"\n")], [b"\xe4\xbd", b"\xa0", b"\n"]),
            ([("content", b""), ("text", b"x")], [b"x"]),
        ],
        fresh=fresh_stretch,
        mistakes=[
            Mistake("the first byte decides", by_first_byte, "look at all bytes of the token."),
            Mistake("the last byte decides", by_last_byte, "look at all bytes of the token."),
            Mistake("content wins", content_wins, "a token that holds bytes of both is text."),
            Mistake("the majority decides", by_majority, "one byte of text is enough."),
            Mistake(
                "searching the bytes", by_search, "the same bytes can stand in several parts; count places."
            ),
            Mistake(
                "searching the bytes",
                by_search_of_text,
                "the same bytes can stand in several parts; count places.",
            ),
        ],
        hints=(
            "Where does each part end, and where does each token start and end? Count bytes.",
            "Make a list with one kind for each byte. Each token takes its bytes' kinds from the front.",
        ),
    ),
    Exercise(
        id="09-5",
        right=bill,
        cases=[
            (6, 1, 9, 1, False),
            (6, 1, 9, 1, True),
            (6, 1, 9, 2, False),
            (6, 1, 9, 2, True),
            (2000, 20, 60, 10, False),
            (2000, 20, 60, 10, True),
        ],
        fresh=fresh_bill,
        mistakes=[
            Mistake("no history", no_history, "each prompt holds all questions and answers before it."),
            Mistake(
                "the last answer read", last_answer_read, "the answer of a turn is read in the next one."
            ),
            Mistake(
                "no opening of the answer", no_opening, "each prompt ends with 3 tokens that open the answer."
            ),
            Mistake("the content alone", only_content, "5 tokens around each message, 3 for the opening."),
            Mistake("the system message once", system_once, "without a cache it is read in every turn."),
            Mistake(
                "the opening counted twice",
                opening_each_time,
                "the opening of an answer is also the start of the assistant's message: it is known.",
            ),
            Mistake("only the system message cached", only_system_cached, "the old turns are known as well."),
            Mistake(
                "nothing around the system message",
                nothing_around_the_system,
                "it is a message like the others, with 5 tokens around it.",
            ),
            Mistake("no cache at all", never_cached, "with a cache only what is new to the prompt is read."),
            Mistake(
                "a cache where there is none", last_prompt_only, "without a cache every prompt is read whole."
            ),
        ],
        hints=(
            "Write down the prompts of turns 1, 2 and 3. With a cache, every token is new once.",
            "Prompt t: system + 5, t questions + 5 each, t - 1 answers + 5 each, and 3. Without a cache add "
            "all n prompts; with it, take the last.",
        ),
    ),
]
