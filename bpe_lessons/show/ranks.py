"""Rank-frequency curves on two logarithmic axes, each with its name on it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bpe_lessons.show.plots import DASHES, HUES, Plot, canvas, number

POINTS = 120  # drawn of a curve, evenly spaced on the logarithmic axis


def by_rank(panels: Mapping[str, Mapping[str, Any]], what: str = "count") -> Plot:
    """Rank-frequency curves, in panels side by side: panel title -> curve name -> counts.

    Counts are given as `measure.ranked` takes them; `what` names the upright axis. Each curve carries its
    name where it is farthest from the others.
    """
    from matplotlib.ticker import FuncFormatter

    from bpe_lessons.measure import ranked

    figure, axes = canvas(1, len(panels), 0.8 + 4.6 * len(panels), 3.8, sharex=True, sharey=True)
    data = {
        title: {name: ranked(counts) for name, counts in curves.items()} for title, curves in panels.items()
    }
    parts = []
    for ax, (title, curves) in zip(axes[0], data.items()):
        for i, (name, counts) in enumerate(curves.items()):
            drawn = counts[np.unique(np.geomspace(1, len(counts), POINTS).round().astype(int))]
            ax.loglog(drawn.index, drawn, color=HUES[i % len(HUES)], linestyle=DASHES[i % len(DASHES)])
            marks = sorted({10**power for power in range(8) if 10**power <= len(counts)} | {len(counts)})
            values = ", ".join(f"{number(counts[rank])} at rank {number(rank)}" for rank in marks)
            parts.append(f"{title}, " * bool(title) + f"{name}: {values}")
        ax.set(xlabel="rank", title=title)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
        ax.grid(color="#e5e5e5", linewidth=0.6)
    axes[0][0].set_ylabel(what)
    for ax, curves in zip(axes[0], data.values()):
        _write_names(ax, list(curves))
    return Plot(
        figure, f"Rank-frequency curves: {what} over rank, logarithmic axes. {'; '.join(parts)}.", data
    )


def _write_names(ax: Any, names: list[str]) -> None:
    """Write each name beside its curve, above or below, where other curves and names are farthest."""
    box = np.array([ax.get_xlim(), ax.get_ylim()])  # asking for the limits also brings them up to date
    low, high = np.log(box).T
    lines = [line.get_xydata() for line in ax.lines]
    shapes = [(np.log(line) - low) / (high - low) for line in lines]  # 0 to 1 from edge to edge
    dense = [np.concatenate([shape[:1], *map(_between, shape, shape[1:])]) for shape in shapes]
    placed: list[Any] = []
    for i, (name, line, shape) in enumerate(zip(names, lines, shapes)):
        others = np.concatenate([*dense[:i], *dense[i + 1 :], *placed, [[9, 9]]])
        above = np.linspace((0, 0.04), (0.02 * len(name), 0.04), 5)  # places along the name
        options = []
        for side in (1, -1):
            written = shape[:, None] + side * above
            distances = np.linalg.norm(written[:, :, None] - others, axis=3).min(axis=(1, 2))
            inside = (written > 0.03).all(axis=(1, 2)) & (written < 0.99).all(axis=(1, 2))
            best = np.where(inside, distances, -1).argmax()
            options.append((distances[best] if inside[best] else -1, side, best, written[best]))
        _, side, best, written = max(options, key=lambda option: option[:2])
        placed.append(written)
        ax.annotate(
            name,
            line[best],
            xytext=(side * 4, side * 3),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="bottom" if side > 0 else "top",
            fontsize=9,
            color=HUES[i % len(HUES)],
        )


def _between(start: Any, end: Any) -> Any:
    """Points on the way from one point to the next."""
    return np.linspace(start, end, 8)[1:]
