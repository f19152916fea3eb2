"""Statements to look at: pages of them, the whole list, a filter to play with, verdicts as bars."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bpe_lessons.claims import VERDICTS, Claim
from bpe_lessons.show.pictures import COLOURS, INK, MONO, Picture, escape
from bpe_lessons.show.plots import Plot, canvas

LONGEST = 240  # characters of a computed value that are shown
MARKS = dict(zip(VERDICTS, (COLOURS[2], COLOURS[1], COLOURS[3], COLOURS[0])))
BARS = dict(zip(VERDICTS, (("#a6cee3", ""), ("#f0c36d", "//"), ("#9a3412", ""), ("#ffffff", ".."))))


def shortened(value: Any) -> str:
    """A computed value in one line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def lines_of(claim: Claim, now: Mapping[str, Any]) -> dict[str, str]:
    """What a page says about one statement, part by part."""
    found = {"statement": claim.statement, "written": claim.said}
    if claim.id in now:
        found["computed"] = shortened(now[claim.id])
    found["in fact"] = claim.right
    return found | ({claim.kind: claim.reason} if claim.reason else {})


def verdict_mark(verdict: str) -> str:
    """A verdict on its colour, as HTML."""
    return (
        f'<span style="background:{MARKS[verdict]};color:{INK};border:1px solid #555;'
        f'border-radius:3px;padding:0 4px">{verdict}</span>'
    )


def link(claim: Claim) -> str:
    """The lesson that shows it, as a link by its number."""
    return f'<a href="{claim.lesson}.ipynb">lesson {claim.lesson[:2]}</a>'


def statements(claims: Iterable[Claim], now: Mapping[str, Any]) -> Picture:
    """Statements one below the other: verdict, lesson, what was written, what is computed, what is right.

    `now` maps ids to values; a statement that is not in it shows why.
    """
    rows, texts = [], []
    left = "vertical-align:top;text-align:left;white-space:nowrap;padding:6px 12px 6px 0"
    right = "vertical-align:top;text-align:left;padding:6px 0;max-width:46em"
    for claim in claims:
        lines = lines_of(claim, now)
        inner = f"<div><b>{escape(lines.pop('statement'))}</b></div>"
        for name, text in lines.items():
            style = f' style="{MONO};overflow-wrap:anywhere"' if name == "computed" else ""
            inner += f"<div>{name}: <span{style}>{escape(text)}</span></div>"
        side = f"{claim.id}<br>{claim.topic}<br>{verdict_mark(claim.verdict)}<br>{link(claim)}"
        rows.append(f'<tr><td style="{left}">{side}</td><td style="{right}">{inner}</td></tr>')
        head = f"{claim.id}  {claim.topic}  {claim.verdict}  {claim.lesson}\n  {claim.statement}"
        texts.append("\n".join([head, *(f"  {name}: {text}" for name, text in lines.items())]))
    table = f'<table style="border-collapse:collapse">{"".join(rows)}</table>'
    return Picture(table if rows else "<p>no statement</p>", "\n\n".join(texts) or "no statement")


def statement_list(claims: Iterable[Claim]) -> Picture:
    """A row for each statement, in a box to scroll: id, topic, verdict, kind, lesson, statement."""
    claims = list(claims)
    side, wide = "text-align:left;vertical-align:top;white-space:nowrap", "text-align:left;vertical-align:top"
    head = "".join(f'<th style="{side}">{name}</th>' for name in ("id", "verdict", "shown in", "statement"))
    rows = "".join(
        f'<tr><td style="{side}">{c.id}<br>{c.topic}</td>'
        f'<td style="{side}">{verdict_mark(c.verdict)}<br>{c.kind}</td>'
        f'<td style="{side}">{link(c)}</td><td style="{wide}">{escape(c.statement)}</td></tr>'
        for c in claims
    )
    lines = (
        f"{c.id}  {c.topic:15}  {c.verdict:18}  {c.kind:10}  {c.lesson[:2]}  {c.statement}" for c in claims
    )
    return Picture(
        f'<div style="max-height:32em;overflow:auto"><table><tr>{head}</tr>{rows}</table></div>',
        "\n".join(lines),
    )


def browse_statements(
    select: Callable[..., Sequence[Claim]], claims: Iterable[Claim], now: Mapping[str, Any], each: int = 5
) -> Any:
    """Menus for article, topic and verdict over pages of `each` statements, as an ipywidgets box.

    `select(article, topic, verdict)` finds the statements; an empty string leaves a menu open.
    """
    import ipywidgets

    claims = list(claims)
    menus = {}
    for name in ("article", "topic", "verdict"):
        values = sorted({getattr(claim, name) for claim in claims})
        options = [("all", ""), *zip(values, values)]
        menus[name] = ipywidgets.Dropdown(options=options, description=name)
    number = ipywidgets.BoundedIntText(value=1, min=1, max=1, description="page")
    count, page = ipywidgets.Label(), ipywidgets.Output()  # unlike HTML(), Output resolves links to lessons

    def turn(change: Any = None) -> None:
        found = select(*(menu.value for menu in menus.values()))
        number.max = max(1, -(-len(found) // each))
        count.value = f"of {number.max}; {len(found)} statements"
        picture = statements(found[(number.value - 1) * each : number.value * each], now)
        data = {"text/html": picture.html, "text/plain": picture.text}
        page.outputs = ({"output_type": "display_data", "data": data, "metadata": {}},)

    for control in (*menus.values(), number):
        control.observe(turn, names="value")
    turn()
    row = ipywidgets.HBox([*menus.values()], layout={"flex_flow": "row wrap"})
    return ipywidgets.VBox([row, ipywidgets.HBox([number, count]), page])


def verdicts_by_topic(claims: Iterable[Claim]) -> Plot:
    """How many statements of each topic have which verdict, as bars laid end to end, large topics first."""
    counts: dict[str, Counter[str]] = {}
    for claim in claims:
        counts.setdefault(claim.topic, Counter())[claim.verdict] += 1
    topics = sorted(counts, key=lambda topic: (-counts[topic].total(), topic))
    data = {topic: {verdict: counts[topic][verdict] for verdict in VERDICTS} for topic in topics}
    figure, [[ax]] = canvas(1, 1, 9, 1.2 + 0.3 * len(topics))
    start = dict.fromkeys(topics, 0)
    for verdict in VERDICTS:
        colour, hatch = BARS[verdict]
        widths = [data[topic][verdict] for topic in topics]
        style = {"color": colour, "edgecolor": INK, "linewidth": 0.6, "hatch": hatch}
        ax.barh(topics, widths, left=list(start.values()), label=verdict, **style)
        for place, (topic, n) in enumerate(zip(topics, widths)):
            if n:
                box = {"facecolor": colour, "edgecolor": "none", "pad": 1.5}
                ink = "white" if verdict == "wrong" else INK
                ax.text(
                    start[topic] + n / 2, place, n, ha="center", va="center", fontsize=8, color=ink, bbox=box
                )
            start[topic] += n
    ax.invert_yaxis()
    ax.set_xlim(0, 1.02 * max(start.values(), default=1))
    ax.set_xlabel("statements")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, fontsize=9)
    lines = (
        f"{topic}: " + ", ".join(f"{verdict} {n}" for verdict, n in row.items() if n)
        for topic, row in data.items()
    )
    text = "Bars laid end to end: statements by topic and verdict. " + "; ".join(lines) + "."
    return Plot(figure, text, data)
