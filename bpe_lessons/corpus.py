"""The sample texts and word counts of the course, by name. All were written for it."""

import json
from pathlib import Path

HERE = Path(__file__).parent
# A checkout keeps data/ and notebooks/ beside the package, a wheel carries them inside.
ROOT = HERE if (HERE / "data").is_dir() else HERE.parent

TEXTS = ("english", "english_heldout", "chinese", "chinese_heldout", "mixed")


def text(name: str) -> str:
    """A sample text: `english`, `chinese`, each also as `..._heldout` (never trained on), or `mixed`.

    Raises ValueError for any other name.
    """
    if name not in TEXTS:
        raise ValueError(f"unknown text {name!r}; known: {', '.join(TEXTS)}")
    return (ROOT / "data" / f"{name}.txt").read_bytes().decode("utf-8")


def words(name: str) -> dict[str, int]:
    """The words of a toy corpus with their counts, in the order first seen, for example `walkthrough`.

    Raises ValueError for an unknown name.

    >>> words("walkthrough")
    {'low': 5, 'lower': 2, 'newest': 6, 'widest': 3}
    """
    toys: dict[str, dict[str, int]] = json.loads((ROOT / "data" / "toy.json").read_bytes())
    if name not in toys:
        raise ValueError(f"unknown toy corpus {name!r}; known: {', '.join(toys)}")
    return toys[name]
