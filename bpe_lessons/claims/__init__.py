"""What articles say about byte pair encoding, and what comes out when it is run.

The statements are in `data/claims.json`. The modules of this folder compute: the function `claim_003_12` of
whichever module holds it returns the value of statement 003-12, from the package, anew at every call.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from bpe_lessons.corpus import ROOT

VERDICTS = ("holds", "imprecise", "wrong", "not checkable here")
KINDS = ("recomputed", "our text", "recorded")


@dataclass(frozen=True)
class Claim:
    """One statement of an article, in our words, and what is right.

    `kind` says where `value` comes from: `recomputed` exactly as the article has it, computed on `our text`
    because the article's text is not ours, or `recorded`, for the `reason` given, with no value.
    """

    id: str  # article and number
    topic: str
    statement: str
    said: str  # the value or wording at stake, as the article has it
    verdict: str
    right: str
    kind: str
    value: Any  # what the function of this statement must return, as JSON has it
    reason: str
    lesson: str  # the lesson that shows it, as its file name without ending

    @property
    def article(self) -> str:
        """The number of the article."""
        return self.id[:3]


def read() -> dict[str, Claim]:
    """Every statement by its id, in the order of the articles."""
    rows = json.loads((ROOT / "data" / "claims.json").read_bytes())
    return {row["id"]: Claim(**row) for row in rows}


def functions() -> dict[str, Callable[[], Any]]:
    """The function behind each recomputed statement, by the statement's id."""
    found: dict[str, Callable[[], Any]] = {}
    for module in iter_modules(__path__):
        for name, value in vars(import_module(f"{__name__}.{module.name}")).items():
            if name.startswith("claim_"):
                found[name.removeprefix("claim_").replace("_", "-")] = value
    return dict(sorted(found.items()))


def compute(id: str) -> Any:
    """The value of one statement, computed now, in the types of JSON.

    Raises ValueError for an unknown id and for a statement that is recorded only.
    """
    if function := functions().get(id):
        return json.loads(json.dumps(function()))
    known = read()
    if id not in known:
        raise ValueError(f"no statement {id!r}; their ids look like 000-05, up to {max(known)}")
    raise ValueError(f"statement {id} is recorded, not computed: {known[id].reason}")
