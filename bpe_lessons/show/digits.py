"""Additions to look at: digits in their columns, tokens as coloured boxes."""

from collections.abc import Callable, Mapping, Sequence

from bpe_lessons.show.pictures import COLOURS, INK, MARKED, MONO, Picture, escape, pad


def addition(a: int, b: int, cuts: Mapping[str, Callable[[str], list[str]]]) -> Picture:
    """a + b under several cuts, digit under digit; below each token of the sum, how many tokens it needs.

    `2+1` means: the columns of this token lie in two tokens of a and in one of b. More than one is set off.
    """
    blocks = []
    for name, cut in cuts.items():
        rows = [cut(str(number)) for number in (a, b, a + b)]
        blocks.append((name, rows, needed(*rows)))
    html = "".join(_html(*block) for block in blocks)
    text = "\n\n".join(_text(*block) for block in blocks)
    return Picture(f'<div style="display:flex;flex-wrap:wrap;gap:14px 22px">{html}</div>', text)


def needed(left: Sequence[str], right: Sequence[str], total: Sequence[str]) -> list[tuple[int, int]]:
    """For each token of the sum: how many tokens of either summand share a column with it.

    >>> needed(["987", "6"], ["543"], ["104", "19"])
    [(1, 1), (2, 1)]
    """
    found, high = [], sum(map(len, total))
    for token in total:
        low = high - len(token)
        found.append((_between(left, low, high), _between(right, low, high)))
        high = low
    return found


def _between(tokens: Sequence[str], low: int, high: int) -> int:
    """How many tokens of a number hold a digit between two columns, counted from the right."""
    owners = [index for index, token in reversed(list(enumerate(tokens))) for _ in token]
    return len(set(owners[low:high]))


def _html(name: str, rows: Sequence[Sequence[str]], needs: Sequence[tuple[int, int]]) -> str:
    size = sum(map(len, rows[2]))
    plain = "background:transparent;color:inherit"  # no stripes behind the numbers
    lines = []
    for sign, tokens in zip(("", "+", "="), rows):
        top = f";border-top:2px solid {INK}" * (sign == "=")
        cells = "<td></td>" * (size - sum(map(len, tokens)))
        for number, token in enumerate(tokens):
            for place, digit in enumerate(token):
                edges = f";border-left:3px solid {INK}" * (place == 0)
                edges += f";border-right:3px solid {INK}" * (place == len(token) - 1)
                cells += (
                    f'<td style="background:{COLOURS[number % 4]};color:{INK};padding:2px 7px;'
                    f'text-align:center{edges}{top}">{digit}</td>'
                )
        lines.append(f'<tr style="{plain}"><th style="padding:2px 6px">{sign}</th>{cells}</tr>')
    cells = ""
    for token, (x, y) in zip(rows[2], needs):
        shown = f'<span style="{MARKED}">{x}+{y}</span>' if max(x, y) > 1 else f"{x}+{y}"
        cells += f'<td colspan="{len(token)}" style="text-align:center;padding:3px 2px">{shown}</td>'
    label = '<th style="font-weight:normal;padding:2px 6px">needs</th>'
    lines.append(f'<tr style="{plain};font-size:85%">{label}{cells}</tr>')
    body = f'<table style="{MONO};border-collapse:collapse;margin:2px 0">{"".join(lines)}</table>'
    return f'<div><div style="{MONO}"><b>{escape(name)}</b></div>{body}</div>'


def _text(name: str, rows: Sequence[Sequence[str]], needs: Sequence[tuple[int, int]]) -> str:
    size = max(sum(map(len, tokens)) for tokens in rows)
    lines = [name]
    for sign, tokens in zip(" +=", rows):
        digits = "|" + "|".join(" ".join(token) for token in tokens) + "|"
        lines.append(f"  {sign} " + pad(digits, 2 * size + 1, right=True))
    return "\n".join([*lines, "  needs " + " ".join(f"{x}+{y}" for x, y in needs)])
