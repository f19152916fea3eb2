"""Run a learner's function on a case, whatever it does: loops without end, exceptions, odd results."""

import sys
import time
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Any

STEPS = 3_000_000  # executed instructions, and
SECONDS = 20  # a time, after which a case is taken for an endless loop
LONGEST = 10_000  # items taken from a generator


@dataclass(frozen=True)
class Raised:
    """What happened instead of a result."""

    error: BaseException


class EndlessLoop(BaseException):
    """Raised inside a function that runs too long; `except Exception` does not catch it."""


def outcome(answer: Any, case: tuple[Any, ...]) -> Any:
    """What an answer gives for a case, or `Raised` with the exception. The case is not changed."""
    if not callable(answer):
        return answer
    steps, deadline = 0, time.monotonic() + SECONDS

    def count(frame: Any, event: str, argument: Any) -> Any:
        nonlocal steps
        frame.f_trace_opcodes = True  # a loop on one line has no line events on Python 3.11
        steps += 1
        if steps > STEPS or (steps % 1000 == 0 and time.monotonic() > deadline):
            raise EndlessLoop
        return count

    before = sys.gettrace()
    try:
        sys.settrace(count)
        result = answer(*deepcopy(case))
        return list(islice(result, LONGEST)) if hasattr(result, "__next__") else result
    except (Exception, SystemExit, EndlessLoop) as error:
        return Raised(error)
    finally:
        sys.settrace(before)


def same(result: Any, right: Any) -> bool:
    """Whether two outcomes are equal; lists and tuples count alike, exceptions by their type."""
    if isinstance(right, Raised) or isinstance(result, Raised):
        both = isinstance(right, Raised) and isinstance(result, Raised)
        return both and isinstance(result.error, type(right.error))
    if isinstance(right, list | tuple) and isinstance(result, list | tuple):
        return len(result) == len(right) and all(map(same, result, right))
    try:
        return bool(result == right)
    except Exception:  # an array compares item by item and has no truth of its own
        return False


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= 300 else f"{text[:300]}..."
