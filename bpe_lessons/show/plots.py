"""Drawings with matplotlib: a PNG in a notebook, what they show in words everywhere else."""

import base64
import io
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bpe_lessons.lesson import Pair, Vocabulary
from bpe_lessons.show.pictures import COLOURS, INK, readable

DARK, LIGHT, WARM = "#0072b2", "#999999", "#d55e00"
# Hue, dash and marker all differ, so that lines stay apart for colour-blind readers and in grey.
HUES = ("#0072b2", "#c24e00", "#000000", "#00795a", "#a8487f", "#6b6b6b", "#8a6d00")
DASHES = ("-", "--", "-.", ":", (0, (8, 2, 1, 2, 1, 2)))
MARKERS = "osD^vPX*<>"
Points = Sequence[tuple[float, float]]


class Plot:
    """A drawing: `data` holds the numbers drawn, `text` says what it shows (its alternative text)."""

    def __init__(self, figure: Any, text: str, data: Any) -> None:
        self.figure, self.text, self.data = figure, text, data

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        from PIL import Image

        drawn, png = io.BytesIO(), io.BytesIO()
        self.figure.savefig(drawn, format="png", bbox_inches="tight", dpi=100)
        # A palette looks the same and takes a quarter of the bytes: notebooks stay small.
        picture = Image.open(drawn).convert("RGB")
        picture.quantize(64, Image.Quantize.FASTOCTREE).save(png, format="png", optimize=True)
        bundle = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": self.text}
        return bundle, {"image/png": {"alt": self.text}}

    def __repr__(self) -> str:
        return self.text


def number(value: float) -> str:
    """A number for a label: four digits, and thousands in groups.

    >>> number(1050673152), number(0.33333), number(12)
    ('1,050,673,152', '0.3333', '12')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def canvas(rows: int, columns: int, width: float, height: float, **share: Any) -> tuple[Any, Any]:
    """A figure of a size in inches and its axes in `rows` x `columns`, without upper and right frame."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **share)
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes


def lines(
    panels: Mapping[str, Mapping[str, Points]],
    x: str,
    y: str,
    log: str = "",
    scatter: Collection[str] = (),
) -> Plot:
    """Named lines of points (x, y), in panels side by side: panel title -> line name -> points.

    Each line carries its name at its end. `x` and `y` name the axes with their units, `log` those with a
    logarithmic scale (`x`, `y` or `xy`); the lines in `scatter` are drawn as dots only.
    """
    figure, axes = canvas(1, len(panels), 1.2 + 4.6 * len(panels), 3.6, sharey=True)
    parts = []
    for ax, (title, series) in zip(axes[0], panels.items()):
        for i, (name, points) in enumerate(series.items()):
            few = len(points) <= 16
            ax.plot(
                *zip(*points),
                color=HUES[i % len(HUES)],
                linestyle="" if name in scatter else DASHES[i % len(DASHES)],
                marker=MARKERS[i % len(MARKERS)] if few or name in scatter else "",
                markersize=4 if few else 2,
                linewidth=1.6,
            )
            (x0, y0), (x1, y1) = points[0], points[-1]
            ends = f"{number(y0)} at {number(x0)} to {number(y1)} at {number(x1)}"
            for word, extreme in (("lowest", min), ("highest", max)):
                x2, y2 = extreme(points, key=lambda point: point[1])
                if y2 not in (y0, y1):
                    ends += f", {word} {number(y2)} at {number(x2)}"
            parts.append(f"{title}, " * bool(title) + f"{name}: {ends}")
        ax.set(xlabel=x, title=title)
        if "x" not in log and all(float(point[0]).is_integer() for row in series.values() for point in row):
            ax.xaxis.get_major_locator().set_params(integer=True)
        for name in log:
            _logarithmic(ax, name)
        ax.grid(color="#e5e5e5", linewidth=0.6)
    for ax, series in zip(axes[0], panels.values()):
        _name_ends(ax, series)
    axes[0][0].set_ylabel(y)
    scale = {"": "", "x": ", logarithmic x axis", "y": ", logarithmic y axis"}.get(log, ", logarithmic axes")
    return Plot(figure, f"Lines: {y} over {x}{scale}. " + "; ".join(parts) + ".", panels)


def _logarithmic(ax: Any, name: str) -> None:
    """Give one axis (`x` or `y`) a logarithmic scale labelled with plain numbers, at 1, 2 and 5 if short."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set(**{f"{name}scale": "log"})
    axis = getattr(ax, f"{name}axis")
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(NullFormatter())


def _name_ends(ax: Any, series: Mapping[str, Points]) -> None:
    """Write each line's name to the right of its end, moved apart where they would cover each other."""
    gap = 0.068
    ends = {}
    ax.autoscale_view()  # on linear axes the limits are not known before
    for name, points in series.items():
        place = ax.transAxes.inverted().transform(ax.transData.transform(points[-1]))
        ends[name] = float(place[1])
    heights: dict[str, float] = {}
    below = -1.0
    for name in sorted(ends, key=lambda name: ends[name]):
        below = heights[name] = max(ends[name], below + gap)
    raised = sum(heights.values()) - sum(ends.values())
    over = max(below - 1.0, raised / len(ends))  # so that the names stand around their ends, below the top
    for i, (name, points) in enumerate(series.items()):
        ax.annotate(
            name,
            points[-1],
            xytext=(1.03, heights[name] - over),
            textcoords="axes fraction",
            va="center",
            fontsize=9,
            color=HUES[i % len(HUES)],
            arrowprops={"arrowstyle": "-", "color": "#bbbbbb", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3},
        )


def dots(
    rows: Mapping[str, Mapping[str, float]], x: str, log: bool = False, line: float | None = None
) -> Plot:
    """A dot for each value, row by row: row name -> series name -> value, in the order given.

    `line` draws an upright line at a value to compare with.
    """
    figure, [[ax]] = canvas(1, 1, 8, 1.1 + 0.27 * len(rows))
    series = list(dict.fromkeys(name for row in rows.values() for name in row))
    for i, name in enumerate(series):
        points = [(row[name], place) for place, row in enumerate(rows.values()) if name in row]
        style = {"color": HUES[i % len(HUES)], "marker": MARKERS[i % len(MARKERS)], "linestyle": ""}
        ax.plot(*zip(*points), label=name, markersize=6, markerfacecolor="none" if i % 2 else None, **style)
    if line is not None:
        ax.axvline(line, color=INK, linewidth=0.8)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.invert_yaxis()
    ax.set_xlabel(x)
    if log:
        _logarithmic(ax, "x")
    ax.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    if len(series) > 1:
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, fontsize=9)
    said = (
        f"{row}: " + ", ".join(f"{name} {number(value)}" for name, value in values.items())
        for row, values in rows.items()
    )
    return Plot(figure, f"Dots: {x}. " + "; ".join(said) + ".", rows)


def bars(
    panels: Mapping[str, Mapping[str, float]], x: str, form: str = "", marked: Collection[str] = ()
) -> Plot:
    """Horizontal bars with their values, panels two in a row: panel title -> bar name -> value.

    `form` is how a value is written, for example `{:.0%}`; the bars in `marked` are set off.
    """
    columns = min(2, len(panels))
    deep = max(map(len, panels.values()))
    figure, axes = canvas(-(-len(panels) // columns), columns, 5 * columns, 1, sharex=True)
    figure.set_figheight((0.8 + 0.27 * deep) * len(axes))
    parts = []
    for ax, (title, values) in zip(axes.flat, panels.items()):
        names = list(values)
        colours = [WARM if name in marked else DARK for name in names]
        ax.barh(names, list(values.values()), color=colours)
        shown = [form.format(value) if form else number(value) for value in values.values()]
        for place, (value, text) in enumerate(zip(values.values(), shown)):
            ax.text(value, place, f" {text}", va="center", fontsize=9)
        ax.set_title(title, fontsize=10)
        ax.invert_yaxis()
        ax.margins(x=0.15)
        parts.append(title + ": " * bool(title) + ", ".join(map(" ".join, zip(names, shown))))
    for ax in axes.flat[len(panels) :]:
        ax.axis("off")
    for ax in axes[-1]:
        ax.set_xlabel(x)
        if form:
            ax.xaxis.set_major_formatter(form.replace("{:", "{x:"))
    return Plot(figure, f"Bars: {x}. " + "; ".join(parts) + ".", panels)


def merge_tree(ids: Sequence[int], rules: Mapping[Pair, int], vocabulary: Vocabulary) -> Plot:
    """How the rules join the symbols of one word; each join carries the number of its rule.

    The tokens that are left in the end, the result of encoding, are orange. Tokens outside
    ASCII are shown as bytes in hex.
    """
    first = min(rules.values(), default=0)
    nodes = [(id, x, x, 0) for x, id in enumerate(ids)]  # id, first and last place, height
    drawn = list(nodes)  # every node ever, for the boxes
    figure, [[axes]] = canvas(1, 1, max(3, 0.62 * len(ids) + 0.4), 1)
    joins = []
    while known := [
        (rules[pair], i) for i in range(len(nodes) - 1) if (pair := (nodes[i][0], nodes[i + 1][0])) in rules
    ]:
        new_id, i = min(known)
        (left_id, a, b, left), (right_id, c, d, right) = nodes[i : i + 2]
        y, x1, x2 = max(left, right) + 1, (a + b) / 2, (c + d) / 2
        axes.plot([x1, x1, x2, x2], [left, y - 0.5, y - 0.5, right], color=LIGHT, zorder=0)
        axes.plot([(a + d) / 2] * 2, [y - 0.5, y], color=LIGHT, zorder=0)
        nodes[i : i + 2] = [(new_id, a, d, y)]
        drawn.append(nodes[i])
        both = f"{node_name(vocabulary[left_id])} and {node_name(vocabulary[right_id])}"
        joins.append(f"rule {new_id - first + 1} joins {both}")
    for node in drawn:
        id, a, d, y = node
        colour = "#ffd27a" if node in nodes else COLOURS[0]
        box = {"boxstyle": "round,pad=0.3", "facecolor": colour, "edgecolor": "#555555"}
        text = {"ha": "center", "va": "center", "color": INK}
        name = node_name(vocabulary[id])
        axes.text((a + d) / 2, y, name, family="monospace", fontsize=11, bbox=box, **text)
        if y:
            rule = f"rule {id - first + 1}"
            place = text if node in nodes else text | {"ha": "left"}  # beside the line up, if there is one
            axes.text((a + d) / 2 + 0.08 * (node not in nodes), y + 0.34, rule, fontsize=8, **place)
    top = max((y for *_, y in nodes), default=0)
    figure.set_figheight(0.72 * top + 0.9)
    axes.set_xlim(-0.6, len(ids) - 0.4)
    axes.set_ylim(-0.4, top + 0.6)
    axes.axis("off")
    result = [vocabulary[id] for id, *_ in nodes]
    tokens = " ".join(map(node_name, result))
    return Plot(figure, f"Tree: {'; '.join(joins) or 'no rule applies'}. Left: {tokens}.", result)


def node_name(token: bytes) -> str:
    """A token as matplotlib's own font can write it: readable text, outside ASCII bytes in hex."""
    return readable(token) if token.isascii() else f"⟨{token.hex(' ')}⟩"


def three_ways(languages: Mapping[str, Sequence[tuple[str, float, float, float]]]) -> Plot:
    """(way, symbols, table size, share not in the table) as bars, a row for each language."""
    figure, axes = canvas(len(languages), 3, 10, 1.9 * len(languages), sharex="col", sharey="row")
    columns = (
        ("length of the text (symbols)", DARK, "{:,}"),
        ("size of the table (entries)", LIGHT, "{:,}"),
        ("not in the table (share)", WARM, "{:.2%}"),
    )
    parts = []
    for row, (language, ways) in zip(axes, languages.items()):
        names, *numbers = zip(*ways)
        for ax, (title, colour, form), values in zip(row, columns, numbers):
            ax.barh(names, values, color=colour)
            shown = [form.format(value) if value else "0" for value in values]
            for y, (value, text) in enumerate(zip(values, shown)):
                ax.text(value, y, f" {text}", va="center", fontsize=9)
            ax.spines[["bottom"]].set_visible(False)
            ax.tick_params(bottom=False, labelbottom=False)
            parts.append(f"{language}, {title}: " + ", ".join(map(" ".join, zip(names, shown))))
        row[0].set_ylabel(language)
        row[0].invert_yaxis()
    for top, below, (title, _, _) in zip(axes[0], axes[-1], columns):
        top.set_title(title, fontsize=10)
        top.set_xlim(0, 1.25 * max(top.get_xlim()[1], below.get_xlim()[1]))  # room for the numbers
    return Plot(figure, "Bars. " + "; ".join(parts) + ".", languages)
