"""Conversations for the eye: whose token is whose, and what a template writes around a text."""

from collections.abc import Iterable, Mapping, Sequence

from bpe_lessons.chat import Part, Token
from bpe_lessons.lesson import Vocabulary
from bpe_lessons.show.pictures import COLOURS, INK, MONO, Picture, escape, readable, table

ROLES = {"begin": 0, "system": 0, "user": 1, "assistant": 2, "reply": 3}
# Template and content differ by their edge as well, so that the picture needs no colour to be read.
EDGES = {"special": f"2px solid {INK}", "text": f"1px dashed {INK}", "content": "1px solid transparent"}


def span(text: str, kind: str, role: str) -> str:
    """A stretch of HTML in the colour of its role, with the edge of its kind inside (seen on any page)."""
    colour = f"background:{COLOURS[ROLES[role]]};color:{INK};border-radius:3px;padding:2px;margin:1px"
    edge = f"border:{EDGES[kind]};border-radius:3px;padding:0 3px;display:inline-block"
    inner = f'<span style="{edge}">{escape(text)}</span>'
    return f'<span style="{colour};display:inline-block">{inner}</span>'


def conversation(stream: Sequence[Token], vocabulary: Vocabulary) -> Picture:
    """A token stream in the colours of its roles, a line a message, beside a plain table of its tokens.

    A special token has a solid edge, text of the template a dashed one, content none.
    """
    lines: dict[tuple[int, str], str] = {}
    for token in stream:
        place = token.place, token.role
        lines[place] = lines.get(place, "") + span(readable(vocabulary[token.id]), token.kind, token.role)
    cell = '<td style="text-align:left;vertical-align:top;padding:3px 8px">'
    rows = "".join(
        f"<tr>{cell}{role}</td>{cell}{spans}</td></tr>" for (_, role), spans in sorted(lines.items())
    )
    plain = listed(stream, vocabulary)
    return Picture(
        f'<div style="display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start">'
        f'<table style="{MONO};border-collapse:collapse;max-width:380px;margin:0">{rows}</table>'
        f"<div>{plain.html}</div></div>",
        plain.text,
    )


def listed(stream: Iterable[Token], vocabulary: Vocabulary) -> Picture:
    """A plain table of a token stream: id, token, role, kind."""
    return table(
        ("id", "token", "message", "part"),
        [(token.id, readable(vocabulary[token.id]), token.role, token.kind) for token in stream],
    )


def written(conversations: Mapping[str, Sequence[Part]]) -> Picture:
    """The same conversation under several templates, one under another, line by line as it is written.

    Special tokens have a solid edge, text of the template a dashed one, content none.
    """
    rows, texts = [], []
    for name, parts in conversations.items():
        spans = ""
        for part in parts:
            for line in part.text.splitlines(keepends=True):
                spans += span(readable(line.encode()), part.kind, part.role) + "<br>" * line.endswith("\n")
        style = "text-align:left;vertical-align:top;white-space:nowrap;padding:4px 10px"
        head = f'<th style="{style}">{escape(name)}</th>'
        rows.append(f'<tr>{head}<td style="text-align:left;padding:4px 10px">{spans}</td></tr>')
        text = readable("".join(part.text for part in parts).encode()).replace("\\n", "\\n\n")
        labels = [name, *[""] * text.count("\n")]
        texts.append("\n".join(f"{label:8} {line}" for label, line in zip(labels, text.splitlines())))
    return Picture(
        f'<table style="{MONO};border-collapse:collapse">{"".join(rows)}</table>', "\n\n".join(texts)
    )
