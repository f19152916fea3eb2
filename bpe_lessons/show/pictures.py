"""Tables, tokens and texts to look at: HTML in a notebook, the same content as plain text everywhere else."""

import html
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bpe_lessons.lesson import Corpus, Pair, Step
from bpe_lessons.walkthrough import FORMS, Rules, Stuck, Verdict

# Four light backgrounds that stay apart for colour-blind readers, always with the same dark text.
COLOURS = ("#cfe8f7", "#fde3b0", "#cdeee0", "#f4d5e6")
INK = "#111111"
MARKED = f"background:#ffe08a;color:{INK};border:1px solid #7a5c00;border-radius:3px;padding:0 3px"
MONO = "font-family:monospace;white-space:pre-wrap"


class Picture:
    """Something to look at: HTML in a notebook, the same content as plain text everywhere else."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def escape(text: str) -> str:
    """Text for HTML, safe from the notebook's typesetting of $...$ and \\[...\\] as formulas."""
    return html.escape(text).replace("$", "$<span></span>").replace("\\", "\\<span></span>")


def readable(token: bytes) -> str:
    """A token for the eye: its text with ␣ for a space, or its bytes as ⟨e4 bd⟩ where they are no whole text.

    >>> readable(" low".encode()), readable("你".encode()[:2]), readable(b"\\n")
    ('␣low', '⟨e4 bd⟩', '\\\\n')
    """
    try:
        text = token.decode("utf-8")
    except UnicodeDecodeError:
        return f"⟨{token.hex(' ')}⟩"
    text = text.replace(" ", "␣").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return text if text.isprintable() else f"⟨{token.hex(' ')}⟩"


def table(
    head: Sequence[str], rows: Iterable[Sequence[object]], marks: Iterable[tuple[int, int]] = ()
) -> Picture:
    """A table, numbers to the right; `marks` are the (row, column) cells whose text is set off by colour."""
    values = [list(row) for row in rows]
    marks = set(marks)
    right = [all(isinstance(row[c], int | float) for row in values) for c in range(len(head))]
    style = f"{MONO};vertical-align:baseline;padding:2px 10px;text-align:"
    styles = [style + ("right" if numbers else "left") for numbers in right]
    lines = ["".join(f'<th style="{s}">{escape(name)}</th>' for s, name in zip(styles, head))]
    for r, row in enumerate(values):
        line = ""
        for c, value in enumerate(row):
            inner = escape(str(value))
            inner = f'<span style="{MARKED}">{inner}</span>' if (r, c) in marks else inner
            line += f'<td style="{styles[c]}">{inner}</td>'
        lines.append(line)
    plain = [list(head), *([str(value) for value in row] for row in values)]
    widths = [max(width(row[c]) for row in plain) for c in range(len(head))]
    text = "\n".join("  ".join(map(pad, row, widths, right)).rstrip() for row in plain)
    return Picture(
        '<table style="border-collapse:collapse"><tr>' + "</tr><tr>".join(lines) + "</tr></table>", text
    )


def width(text: str) -> int:
    """The columns a text fills in a terminal: two for a wide character, none for a combining mark."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def pad(text: str, columns: int, right: bool = False) -> str:
    """The text filled with spaces to a number of terminal columns, behind it or before it."""
    spaces = " " * (columns - width(text))
    return spaces + text if right else text + spaces


def characters(text: str) -> Picture:
    """One row a character of the text: the character, its code point, its UTF-8 bytes in hex and in bits."""
    rows = []
    for character in text:
        data = character.encode()
        bits = " ".join(f"{byte:08b}" for byte in data)
        visible = readable(data) if not unicodedata.combining(character) else "◌" + character
        rows.append((visible, f"U+{ord(character):04X}", len(data), data.hex(" "), bits))
    return table(("character", "code point", "bytes", "in hex", "in bits"), rows)


def tokens(ids: Sequence[int], vocabulary: Mapping[int, bytes]) -> Picture:
    """The tokens of a text as coloured spans, then a plain row of pieces and ids."""
    names = [readable(vocabulary[id]) for id in ids]
    spans = "".join(
        f'<span style="background:{COLOURS[i % 4]};color:{INK};border:1px solid #555;padding:1px 3px;'
        f'margin:1px;display:inline-block">{escape(name)}</span>'
        for i, name in enumerate(names)
    )
    row = " | ".join(f"{name} {id}" for name, id in zip(names, ids))
    return Picture(
        f'<div style="{MONO};line-height:1.8">{spans}</div><div style="{MONO}">{escape(row)}</div>',
        f"{len(ids)} tokens: {row}",
    )


def row_of(ids: Iterable[int], vocabulary: Mapping[int, bytes]) -> str:
    """The tokens of one piece as readable text, a space between them."""
    return " ".join(readable(vocabulary[id]) for id in ids)


def corpus(rows: Corpus, vocabulary: Mapping[int, bytes]) -> Picture:
    """The rows of a corpus: the symbols of each piece, and how often it occurs."""
    return table(("piece", "times"), [(row_of(ids, vocabulary), f"x{count}") for ids, count in rows])


def pair_name(pair: Pair, vocabulary: Mapping[int, bytes]) -> str:
    """A pair as `e + s`."""
    return " + ".join(readable(vocabulary[id]) for id in pair)


def pairs(counts: Mapping[Pair, int], vocabulary: Mapping[int, bytes], top: int = 10) -> Picture:
    """The most frequent pairs with their counts, the first seen first among equals; leaders marked."""
    ranked = sorted(counts.items(), key=lambda item: -item[1])[:top]
    leaders = [(r, 0) for r, (_, count) in enumerate(ranked) if count == ranked[0][1]]
    return table(("pair", "count"), [(pair_name(pair, vocabulary), count) for pair, count in ranked], leaders)


def steps(steps: Sequence[Step], vocabulary: Mapping[int, bytes], with_corpus: bool = True) -> Picture:
    """Training round by round: the merge, its count, the pairs it tied with (marked), the corpus after."""
    rows, marks = [], []
    for number, step in enumerate(steps, 1):
        rivals = [pair_name(pair, vocabulary) for pair in step.tied if pair != step.pair]
        shown = ", ".join(rivals[:4]) + (f" and {len(rivals) - 4} more" if len(rivals) > 4 else "")
        row = [
            number,
            pair_name(step.pair, vocabulary),
            readable(vocabulary[step.new_id]),
            step.count,
            shown or "-",
        ]
        if with_corpus:
            row.append(" | ".join(row_of(ids, vocabulary) for ids, _ in step.corpus))
        rows.append(row)
        if rivals:
            marks.append((number - 1, 4))
    head = ["round", "pair", "new token", "count", "tied with"] + ["corpus after"] * with_corpus
    return table(head, rows, marks)


def stepper(start: Corpus, steps: Sequence[Step], vocabulary: Mapping[int, bytes]) -> Any:
    """A slider through a training, one merge a step, as an ipywidgets box."""
    import ipywidgets

    slider = ipywidgets.IntSlider(value=0, min=0, max=len(steps), description="merges")
    page = ipywidgets.HTML()

    def turn(change: Mapping[str, int]) -> None:
        done = change["new"]
        line = f"<p>{f'{steps[done - 1].count} times' if done else 'before the first merge'}</p>"
        if done:
            line = f"<p>merge {done}: {escape(pair_name(steps[done - 1].pair, vocabulary))}, {line[3:]}"
        page.value = line + corpus(steps[done - 1].corpus if done else start, vocabulary).html

    slider.observe(turn, names="value")
    turn({"new": 0})
    return ipywidgets.VBox([slider, page])


def rules_table(rules: Iterable[Rules]) -> str:
    """Combinations of rules as lines of text; alphabets that make no difference share a line."""
    shared: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        shared.setdefault((rule.form, rule.ties), []).append(rule.alphabet)
    lines = [
        f"  form {form} ({FORMS[form]})\n    ties {ties}, alphabet {' or '.join(alphabets)}"
        for (form, ties), alphabets in shared.items()
    ]
    return "\n".join(lines)


def verdict(found: Verdict) -> str:
    """What a reader's list of merges comes from, as text."""
    lines = []
    if found.matches:
        lines += ["This list comes from:", rules_table(found.matches)]
    if found.possible:
        forms = dict.fromkeys(form for form, _ in found.possible)
        lines += [
            "The counts also allow it, with ties broken by no rule named here, for:"
            if found.matches
            else "No tie rule named here gives this list, but the counts allow it for:"
        ]
        lines += [f"  form {form} ({FORMS[form]})" for form in forms]
    seen: set[Stuck] = set()
    for stuck in found.stuck:
        if not lines:
            lines = [f"Impossible from step {stuck.step} on: {stuck.wanted}"]
        alike = Stuck(stuck.form, "", stuck.step, stuck.wanted, stuck.count, stuck.best, stuck.best_pairs)
        if alike in seen:
            continue
        seen.add(alike)
        leaders = ", ".join(f"{readable(a.encode())} + {readable(b.encode())}" for a, b in stuck.best_pairs)
        has = f"occurs {stuck.count} times" if stuck.count else "is spelled by no pair"
        best = f"{leaders} ({stuck.best} times)" if leaders else "nothing: no pair is left"
        lines += [
            f"  form {stuck.form} ({FORMS[stuck.form]})",
            f"    at step {stuck.step} {stuck.wanted} {has}; the right choice: {best}",
        ]
    return "\n".join(lines)


def cuts(rows: Mapping[str, Sequence[str]]) -> Picture:
    """One text cut in several ways, a row each: a column is a character, the edges of the pieces line up."""
    cells = {name: [visible(c) for piece in pieces for c in piece] for name, pieces in rows.items()}
    columns = [max(map(width, column)) for column in zip(*cells.values())]
    label = max(map(width, rows), default=0)
    lines, texts = [], []
    for name, pieces in rows.items():
        owners = [number for number, piece in enumerate(pieces) for _ in piece]
        line, text = "", pad(name, label) + " "
        for before, owner, cell, wide in zip([-1, *owners], owners, cells[name], columns):
            edge = f";border-left:1px solid {INK}" * (owner != before)
            line += (
                f'<td style="background:{COLOURS[owner % 4]};color:{INK};padding:2px 3px;text-align:center'
                f'{edge}">{escape(cell)}</td>'
            )
            text += ("|" if owner != before else " ") + pad(cell, wide)
        head = f'<th style="text-align:left;padding:2px 10px 2px 0">{escape(name)}</th>'
        lines.append(f"<tr>{head}{line}</tr>")
        texts.append(text.rstrip() + "|" * bool(owners))
    table = f'<table style="{MONO};border-collapse:collapse;margin:0">{"".join(lines)}</table>'
    return Picture(f'<div style="overflow-x:auto">{table}</div>', "\n".join(texts))


def visible(character: str) -> str:
    """One character for the eye: a combining mark on a dotted circle, everything else as `readable`."""
    mark = unicodedata.category(character).startswith("M")
    return "◌" + character if mark else readable(character.encode())


def linked(
    symbols: Sequence[int], before: Sequence[int], after: Sequence[int], names: Mapping[int, str]
) -> Picture:
    """Symbols in an array with links to their neighbours, a column a place; dots where one fell out."""
    here = [symbol in names for symbol in symbols]
    rows = [["symbol", *(names.get(symbol, ".") for symbol in symbols)]]
    for name, links in (("before", before), ("after", after)):
        rows.append([name, *(str(link) if kept else "." for link, kept in zip(links, here))])
    return table(["place", *map(str, range(len(symbols)))], rows)
