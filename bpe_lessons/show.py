"""Everything that prints, colours, steps or plots. Tables and tokens read well as HTML and as plain text."""

import html
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bpe_lessons.lesson import Corpus, Pair, Step, Vocabulary
from bpe_lessons.walkthrough import FORMS, Rules, Stuck, Verdict

# Four light backgrounds that stay apart for colour-blind readers, always with the same dark text.
COLOURS = ("#cfe8f7", "#fde3b0", "#cdeee0", "#f4d5e6")
INK = "#111111"
MARKED = f"background:#ffe08a;color:{INK};border:1px solid #7a5c00;border-radius:3px;padding:0 3px"
MONO = "font-family:monospace;white-space:pre-wrap"
DARK, LIGHT, WARM = "#0072b2", "#999999", "#d55e00"  # for lines and bars


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


def merge_tree(ids: Sequence[int], rules: Mapping[Pair, int], vocabulary: Vocabulary) -> None:
    """Draw how the rules join the symbols of one word; each join carries the number of its rule.

    The tokens that are left in the end, the result of encoding, are orange. Tokens outside
    ASCII are shown as bytes in hex.
    """
    import matplotlib.pyplot as plt

    first = min(rules.values(), default=0)
    nodes = [(id, x, x, 0) for x, id in enumerate(ids)]  # id, first and last place, height
    drawn = list(nodes)  # every node ever, for the boxes
    figure, axes = plt.subplots()
    while known := [
        (rules[pair], i) for i in range(len(nodes) - 1) if (pair := (nodes[i][0], nodes[i + 1][0])) in rules
    ]:
        new_id, i = min(known)
        (_, a, b, left), (_, c, d, right) = nodes[i : i + 2]
        y, x1, x2 = max(left, right) + 1, (a + b) / 2, (c + d) / 2
        axes.plot([x1, x1, x2, x2], [left, y - 0.5, y - 0.5, right], color=LIGHT, zorder=0)
        axes.plot([(a + d) / 2] * 2, [y - 0.5, y], color=LIGHT, zorder=0)
        nodes[i : i + 2] = [(new_id, a, d, y)]
        drawn.append(nodes[i])
    for node in drawn:
        id, a, d, y = node
        token = vocabulary[id]
        colour = "#ffd27a" if node in nodes else COLOURS[0]
        box = {"boxstyle": "round,pad=0.3", "facecolor": colour, "edgecolor": "#555555"}
        name = readable(token) if token.isascii() else f"⟨{token.hex(' ')}⟩"
        text = {"ha": "center", "va": "center", "color": INK}
        axes.text((a + d) / 2, y, name, family="monospace", fontsize=11, bbox=box, **text)
        if y:
            rule = f"rule {id - first + 1}"
            place = text if node in nodes else text | {"ha": "left"}  # beside the line up, if there is one
            axes.text((a + d) / 2 + 0.08 * (node not in nodes), y + 0.34, rule, fontsize=8, **place)
    top = max((y for *_, y in nodes), default=0)
    figure.set_size_inches(max(3, 0.62 * len(ids) + 0.4), 0.72 * top + 0.9)
    axes.set_xlim(-0.6, len(ids) - 0.4)
    axes.set_ylim(-0.4, top + 0.6)
    axes.axis("off")
    figure.tight_layout()
    plt.show()


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


def three_ways(languages: Mapping[str, Sequence[tuple[str, float, float, float]]]) -> None:
    """Draw (way, symbols, table size, share not in the table) as bars, a row for each language."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        len(languages), 3, figsize=(10, 1.9 * len(languages)), sharex="col", sharey="row", squeeze=False
    )
    columns = (
        ("length of the text (symbols)", DARK, "{:,}"),
        ("size of the table (entries)", LIGHT, "{:,}"),
        ("not in the table (share)", WARM, "{:.2%}"),
    )
    for row, (language, ways) in zip(axes, languages.items()):
        names = [way[0] for way in ways]
        numbers = [way[1] for way in ways], [way[2] for way in ways], [way[3] for way in ways]
        for ax, (_, colour, form), values in zip(row, columns, numbers):
            ax.barh(names, values, color=colour)
            for y, value in enumerate(values):
                ax.text(value, y, f" {form.format(value) if value else 0}", va="center", fontsize=9)
            ax.spines[["top", "right", "bottom"]].set_visible(False)
            ax.tick_params(bottom=False, labelbottom=False)
        row[0].set_ylabel(language)
        row[0].invert_yaxis()
    for top, below, (title, _, _) in zip(axes[0], axes[-1], columns):
        top.set_title(title, fontsize=10)
        top.set_xlim(0, 1.25 * max(top.get_xlim()[1], below.get_xlim()[1]))  # room for the numbers
    figure.tight_layout()
    plt.show()


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


def growth(points: Mapping[str, Sequence[tuple[int, int, int]]]) -> None:
    """Draw (characters, pieces, types) for growing beginnings of each text, on logarithmic axes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(points), figsize=(4.4 * len(points), 3), sharex=True, sharey=True)
    for ax, (name, rows) in zip(axes if len(points) > 1 else [axes], points.items()):
        lengths, pieces, types = zip(*rows)
        for values, colour, label in ((pieces, LIGHT, "pieces"), (types, DARK, "types")):
            ax.plot(lengths, values, color=colour, marker="o", markersize=3)
            ax.text(lengths[-1], values[-1], f" {label} {values[-1]:,}", va="center", color=INK)
        ax.set(xscale="log", yscale="log", xlabel="characters read", title=name)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_xlim(right=8 * max(lengths))  # room for the names of the lines
    figure.tight_layout()
    plt.show()


def powers(panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], unit: str) -> None:
    """Draw lines of points (n, cost) on logarithmic axes, a panel for each thing that grows."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(panels), figsize=(4.6 * len(panels), 3.2), sharey=True, squeeze=False)
    for ax, (title, lines) in zip(axes[0], panels.items()):
        for colour, (name, points) in zip((WARM, DARK, LIGHT), lines.items()):
            ax.plot(*zip(*points), color=colour, marker="o", markersize=4)
            place = {"xytext": (0, 9), "textcoords": "offset points", "ha": "right"}
            ax.annotate(name, points[-1], color=colour, fontsize=9, **place)
        ax.set(xscale="log", yscale="log", xlabel=title)
        ticks = next(iter(lines.values()))
        ax.set_xticks([x for x, _ in ticks], [f"{x:,}" for x, _ in ticks])
        ax.minorticks_off()
        ax.margins(0.1, 0.15)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel(unit)
    figure.tight_layout()
    plt.show()


def profiles(spent: Mapping[str, Mapping[str, float]], top: int = 6) -> None:
    """Draw where the time goes, a panel for each program: the shares of its most costly functions."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(-(-len(spent) // 2), 2, figsize=(9, 2 * -(-len(spent) // 2)), sharex=True)
    for ax, (title, seconds) in zip(axes.flat, spent.items()):
        whole = sum(seconds.values())
        names = sorted(seconds, key=lambda name: -seconds[name])[:top]
        ax.barh(names, [seconds[name] / whole for name in names], color=[WARM, *[DARK] * (top - 1)])
        ax.invert_yaxis()
        ax.xaxis.set_major_formatter("{x:.0%}")
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_title(title, fontsize=10)
    figure.tight_layout()
    plt.show()


def linked(
    symbols: Sequence[int], before: Sequence[int], after: Sequence[int], names: Mapping[int, str]
) -> Picture:
    """Symbols in an array with links to their neighbours, a column a place; dots where one fell out."""
    here = [symbol in names for symbol in symbols]
    rows = [["symbol", *(names.get(symbol, ".") for symbol in symbols)]]
    for name, links in (("before", before), ("after", after)):
        rows.append([name, *(str(link) if kept else "." for link, kept in zip(links, here))])
    return table(["place", *map(str, range(len(symbols)))], rows)
