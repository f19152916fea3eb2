"""Chat templates as data, and the token stream of a conversation: which tokens are template, which content.

A published model comes with its template as a small program. Four of them are written down here as tables.
Ids are given only by a vocabulary that is on this machine: ChatML on qwen2.5 or qwen3.5. For Llama-2, Llama-3
and Gemma the text is recorded and no id is claimed. cl100k_base leaves <|im_start|> and <|im_end|> out of its
public file. ChatGLM's template was not examined.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from bpe_lessons.text import to_bytes
from bpe_lessons.tokenizer import Tokenizer

CONTENT = "{content}"  # stands in a template where the text of the message goes
Messages = Sequence[Mapping[str, str]]  # each with a role (system, user or assistant) and a content


@dataclass(frozen=True)
class Template:
    """How a conversation is written: for each role its parts, in order, one of them CONTENT.

    `begin` stands before the first message, `reply` opens the answer of the model. A template without system
    turns has `folded`: how the system text is put in front of the first user's text; user and assistant must
    then take turns. `strip` takes the blanks off both ends of a turn's content.
    """

    special: tuple[str, ...]  # the parts that are special tokens; all others are ordinary text
    turns: Mapping[str, tuple[str, ...]]
    reply: tuple[str, ...]
    begin: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    strip: bool = False
    source: str = ""


ROLES = ("system", "user", "assistant")
# Which roles may come after which where the system text is folded into a turn ("" is the beginning).
FOLLOWERS = {"": ("system", "user"), "system": ("user",), "user": ("assistant",), "assistant": ("user",)}
TEMPLATES = {
    "ChatML": Template(
        ("<|im_start|>", "<|im_end|>"),
        {role: ("<|im_start|>", f"{role}\n", CONTENT, "<|im_end|>", "\n") for role in ROLES},
        ("<|im_start|>", "assistant\n"),
        source="OpenAI's chatml.md (2023); the tokenizer_config.json of Qwen3, without tools and thinking. "
        "Qwen2.5's adds a system message of its own where there is none.",
    ),
    "Llama-2": Template(
        ("<s>", "</s>"),
        {"user": ("<s>", "[INST] ", CONTENT, " [/INST]"), "assistant": (" ", CONTENT, " ", "</s>")},
        (),
        folded=("<<SYS>>\n", CONTENT, "\n<</SYS>>\n\n"),
        strip=True,
        source="Meta's llama/generation.py (2023). It strips after folding: blanks before the first question "
        "stay there when a system text precedes them.",
    ),
    "Llama-3": Template(
        ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        {
            role: ("<|start_header_id|>", role, "<|end_header_id|>", "\n\n", CONTENT, "<|eot_id|>")
            for role in ROLES
        },
        ("<|start_header_id|>", "assistant", "<|end_header_id|>", "\n\n"),
        begin=("<|begin_of_text|>",),
        strip=True,
        source="Meta's llama3/llama/tokenizer.py (2024), ChatFormat.",
    ),
    "Gemma": Template(
        ("<bos>", "<start_of_turn>", "<end_of_turn>"),
        {
            "user": ("<start_of_turn>", "user\n", CONTENT, "<end_of_turn>", "\n"),
            "assistant": ("<start_of_turn>", "model\n", CONTENT, "<end_of_turn>", "\n"),
        },
        ("<start_of_turn>", "model\n"),
        begin=("<bos>",),
        folded=(CONTENT, "\n\n"),
        strip=True,
        source="Google's page on Gemma formatting; the tokenizer_config.json of Gemma 3. "
        "Gemma 1 and 2 refuse a system message.",
    ),
}


@dataclass(frozen=True)
class Part:
    """A stretch of the written conversation: `special`, `text` (of the template) or `content`."""

    text: str
    kind: str
    place: int  # the message it belongs to; -1 before the first, the number of messages for the reply
    role: str  # of that message, or `begin`, or `reply`


@dataclass(frozen=True)
class Token:
    """One token of the stream with the kind, place and role of its part.

    `mixed` marks a token that holds bytes of the template and of the content: its kind is `text`.
    """

    id: int
    kind: str
    place: int
    role: str
    mixed: bool = False


@dataclass(frozen=True)
class Turn:
    """What one request costs: the tokens of its prompt, and how many of them began the prompt before it."""

    prompt: int
    known: int

    @property
    def new(self) -> int:
        """The tokens that are left to read when the prefix known from before is cached."""
        return self.prompt - self.known


def parts(messages: Messages, template: Template, reply: bool = True) -> list[Part]:
    """The conversation as the template writes it, part by part; `reply` opens the answer of the model.

    Raises ValueError naming the message that the template cannot write.
    """
    validate(messages, template)
    written = list(filled(template.begin, "", template, -1, "begin"))
    waiting: list[Part] = []  # a folded system text, until the first user's text comes
    for place, message in enumerate(messages):
        role, content = message["role"], message["content"]
        if role not in template.turns:
            waiting = list(filled(template.folded, content, template, place, role))
            continue
        content = content.strip() if template.strip else content
        for part in filled(template.turns[role], content, template, place, role):
            if part.kind == "content":
                written += waiting
                waiting = []
            written.append(part)
    if reply:
        written += filled(template.reply, "", template, len(messages), "reply")
    return written


def filled(pattern: Iterable[str], content: str, template: Template, place: int, role: str) -> Iterator[Part]:
    """Yield the parts of one message, its content put in."""
    for part in pattern:
        if part == CONTENT:
            yield Part(content, "content", place, role)
        else:
            yield Part(part, "special" if part in template.special else "text", place, role)


def validate(messages: Messages, template: Template) -> None:
    """Raise ValueError naming the first message that the template cannot write."""
    roles = {*template.turns, "system"} if template.folded else {*template.turns}
    before = ""
    for place, message in enumerate(messages):
        if set(message) != {"role", "content"} or not all(isinstance(it, str) for it in message.values()):
            raise ValueError(f"message {place} is not a role and a content, both text")
        to_bytes(message["content"])
        role = message["role"]
        if role not in roles:
            raise ValueError(f"message {place} has the role {role!r}; known: {', '.join(sorted(roles))}")
        if template.folded and role not in FOLLOWERS[before]:
            wanted = " or ".join(FOLLOWERS[before])
            raise ValueError(f"message {place} has the role {role!r}; this template wants {wanted} here")
        before = role
    if template.folded and before == "system":
        raise ValueError("this template writes a system text into the first user message, and there is none")


def render(messages: Messages, template: Template, reply: bool = True) -> str:
    """The conversation as one text, special tokens spelled out. Raises ValueError as `parts` does."""
    return "".join(part.text for part in parts(messages, template, reply))


def tokens(messages: Messages, template: Template, tokenizer: Tokenizer, reply: bool = True) -> list[Token]:
    """The token stream of a conversation. Only the template gives special tokens, never a content.

    The ids are those of the rendered text, as long as no content spells a special token. Raises ValueError
    as `parts` does, and for a special token of the template that the vocabulary does not hold.
    """
    if missing := [token for token in template.special if token not in tokenizer.special_ids]:
        raise ValueError(f"this vocabulary has no special token {missing[0]!r}")
    stream: list[Token] = []
    stretch: list[Part] = []  # the parts since the last special token: one ordinary text
    for part in parts(messages, template, reply):
        if part.kind == "special":
            stream += ordinary(stretch, tokenizer)
            stream.append(Token(tokenizer.special_ids[part.text], part.kind, part.place, part.role))
            stretch = []
        else:
            stretch.append(part)
    return stream + ordinary(stretch, tokenizer)


def ordinary(stretch: Sequence[Part], tokenizer: Tokenizer) -> list[Token]:
    """The tokens of ordinary parts encoded as one text, each with the part that its bytes come from.

    Of several parts it is the first that the template wrote, if there is one.
    """
    texts = [part.text for part in stretch]
    ends = [len(tokenizer.normalize("".join(texts[: n + 1])).encode()) for n in range(len(texts))]
    found, start = [], 0
    for id in tokenizer.encode("".join(texts), special="text"):
        end = start + len(tokenizer.vocabulary[id])
        held = [part for part, a, b in zip(stretch, [0, *ends], ends) if max(a, start) < min(b, end)]
        owner = next((part for part in held if part.kind == "text"), held[0])
        mixed = any(part.kind != owner.kind for part in held)
        found.append(Token(id, owner.kind, owner.place, owner.role, mixed))
        start = end
    return found


def overhead(stream: Iterable[Token]) -> list[tuple[str, int, int]]:
    """For each message, and the beginning and the reply: (role, tokens of content, tokens of template)."""
    counts: dict[tuple[int, str], list[int]] = {}
    for token in stream:
        counts.setdefault((token.place, token.role), [0, 0])[token.kind != "content"] += 1
    return [(role, content, template) for (_, role), (content, template) in sorted(counts.items())]


def shared(before: Sequence[int], after: Sequence[int]) -> int:
    """How many ids the two sequences have in common from their start.

    >>> shared([7, 8, 9], [7, 8, 5, 9])
    2
    """
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(before, after))])


def turns(messages: Messages, template: Template, tokenizer: Tokenizer) -> list[Turn]:
    """The cost of each request of a conversation: one for each user message, with all that came before it.

    A prefix cache is taken to hold the prompt of the request before. Some servers also keep the answer they
    wrote; then still less is new.
    """
    costs: list[Turn] = []
    before: list[int] = []
    for place, message in enumerate(messages):
        if message["role"] == "user":
            prompt = [token.id for token in tokens(messages[: place + 1], template, tokenizer)]
            costs.append(Turn(len(prompt), shared(before, prompt)))
            before = prompt
    return costs
