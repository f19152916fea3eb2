"""A drawing of a lattice: every way to cut a text, the best one set off."""

from collections.abc import Sequence
from math import exp

from bpe_lessons.show.pictures import INK
from bpe_lessons.show.plots import LIGHT, WARM, Plot, canvas, node_name
from bpe_lessons.unigram import Lattice, viterbi


def paths(edges: Lattice, best: Sequence[str]) -> Plot:
    """Every piece of a lattice as an arc with its probability; the arcs of the cut `best` are thick.

    Under each position stands the log probability of the best cut that leads there.
    """
    size = len(edges) - 1
    ends = [sum(map(len, best[: i + 1])) for i in range(len(best))]
    taken = {(end - len(piece), end) for piece, end in zip(best, ends)}
    arcs = [
        (start, end, piece, exp(score), (start, end) in taken)
        for end, arriving in enumerate(edges)
        for start, piece, score in arriving
    ]
    deep = max((end - start for start, end, *_ in arcs), default=1)
    figure, [[ax]] = canvas(1, 1, 1.6 + 1.5 * size, 1.1 + 0.62 * deep)
    for start, end, piece, share, on_best in arcs:
        height = 0.16 + 0.62 * (end - start - 1)
        curve = [(start + (end - start) * t / 40, height * 4 * t / 40 * (1 - t / 40)) for t in range(41)]
        line = {"color": WARM, "linewidth": 3} if on_best else {"color": LIGHT, "linewidth": 1.4}
        ax.plot(*zip(*curve), zorder=1 + on_best, **line)
        name = f"{node_name(piece.encode())}  {share:.3g}"
        box = {"boxstyle": "round,pad=0.2", "facecolor": "#ffffff", "edgecolor": "none"}
        weight = "bold" if on_best else "normal"
        middle = {"ha": "center", "va": "center", "color": INK, "bbox": box, "zorder": 3}
        ax.text((start + end) / 2, height, name, family="monospace", weight=weight, fontsize=10, **middle)
    so_far = [viterbi(edges[: place + 1])[1] for place in range(size + 1)]
    ax.plot(range(size + 1), [0] * (size + 1), "o", color=INK, markersize=8, zorder=4)
    for place, value in enumerate(so_far):
        ax.text(place, -0.2, f"{place}\n{value:.3f}", ha="center", va="top", color=INK, fontsize=9)
    ax.set(xlim=(-0.4, size + 0.4), ylim=(-0.55, 0.4 + 0.62 * (deep - 1)))
    ax.axis("off")
    said = ", ".join(f"{piece} from {start} to {end} ({share:.3g})" for start, end, piece, share, _ in arcs)
    best_so_far = ", ".join(f"{value:.3f} at {place}" for place, value in enumerate(so_far))
    text = f"Lattice: {said}. Best: {' | '.join(best)}. Best log probability so far: {best_so_far}."
    return Plot(figure, text, {"arcs": arcs, "so_far": so_far})
