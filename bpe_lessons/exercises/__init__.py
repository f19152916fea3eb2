"""Check a learner's answer: not written yet, the first failing case with a diagnosis, or all pass."""

import random
import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

FRESH_CASES = 30
LINES = 1_000_000  # executed lines after which a case is taken for an endless loop


@dataclass(frozen=True)
class Mistake:
    """A classic wrong answer: its name, what it would return, and one sentence that sets it right."""

    name: str
    wrong: Any  # a function of the case, or a value where the exercise asks for a value
    says: str


@dataclass(frozen=True)
class Exercise:
    """One exercise. `right` is the function that judges, or the value asked for."""

    id: str
    right: Any
    cases: Sequence[tuple[Any, ...]] = ((),)  # the visible cases: arguments of the function
    fresh: Callable[[random.Random], tuple[Any, ...]] | None = None  # draws a further case
    mistakes: Sequence[Mistake] = ()
    hints: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Report:
    """What `check` found. Its text is what the learner reads."""

    text: str
    passed: bool = field(default=False)

    def __repr__(self) -> str:
        return self.text


def all_exercises() -> dict[str, Exercise]:
    """Every exercise of the course by id."""
    names = sorted(module.name for module in iter_modules(__path__) if module.name.startswith("lesson"))
    modules = [import_module(f"{__name__}.{name}") for name in names]
    return {exercise.id: exercise for module in modules for exercise in module.EXERCISES}


def find(id: str) -> Exercise:
    """The exercise of an id. Raises ValueError that names the exercises of that lesson for an unknown one."""
    known = all_exercises()
    if id not in known:
        near = [other for other in known if other[:2] == str(id)[:2]] or list(known)
        raise ValueError(f"no exercise {id!r}; there are {', '.join(near)}")
    return known[id]


def hint(id: str, step: int = 1) -> Report:
    """The first or the second hint of an exercise. Raises ValueError for any other step."""
    hints = find(id).hints
    if step not in (1, 2):
        raise ValueError(f"there is no hint {step}; each exercise has hints 1 and 2")
    return Report(f"Hint {step} for {id}: {hints[step - 1]}")


def check(id: str, answer: Any) -> Report:
    """How an answer, a function or a value, does on the visible cases and on fresh ones (fixed seed)."""
    exercise = find(id)
    if answer is ... or answer is None:
        return unwritten(id)
    if callable(exercise.right) and not callable(answer):
        return Report(f"{id}: a function is asked for, not {answer!r}. Pass its name without parentheses.")
    cases = list(exercise.cases)
    if exercise.fresh:
        random_source = random.Random(id)
        cases += [exercise.fresh(random_source) for _ in range(FRESH_CASES)]
    results = []
    for case in cases:
        result = outcome(answer, case)
        if isinstance(result, NotImplementedError):
            return unwritten(id)
        results.append(result)
        if isinstance(result, TimeoutError):  # one endless loop is enough
            break
    failures = [i for i, result in enumerate(results) if not same(result, outcome(exercise.right, cases[i]))]
    if not failures:
        fresh = len(cases) - len(exercise.cases)
        return Report(
            f"{id}: all pass" + (f" ({len(exercise.cases)} cases and {fresh} fresh ones)" if fresh else ""),
            True,
        )
    return Report(
        failing(exercise, cases[failures[0]], results[failures[0]]) + diagnosis(exercise, cases, results)
    )


def unwritten(id: str) -> Report:
    """The report on an exercise nobody has started."""
    return Report(f"{id}: not written yet. hint({id!r}, 1) helps.")


def failing(exercise: Exercise, case: tuple[Any, ...], result: Any) -> str:
    """The lines that show the first failing case."""
    if not callable(exercise.right):
        return f"{exercise.id}: {result!r} is not right.{misfit(exercise.right, result)}"
    call = ", ".join(repr(argument) for argument in case)
    want = outcome(exercise.right, case)
    got = (
        f"raises {type(result).__name__}: {result}" if isinstance(result, Exception) else f"gives {result!r}"
    )
    wanted = f"should raise {type(want).__name__}" if isinstance(want, Exception) else f"should give {want!r}"
    return f"{exercise.id}: for ({call}) it {got}\nand {wanted}.{misfit(want, result)}"


def misfit(want: Any, result: Any) -> str:
    """A line on a result that is not even of the kind asked for, or nothing."""
    if isinstance(want, Exception) or isinstance(result, Exception):
        return ""
    if result is None:
        return "\nIt gives None: is there a `return` on every way through?"
    asked, given = kind(want), kind(result)
    return f"\n{asked.capitalize()} is asked for, not {given}." if asked != given else ""


def kind(value: Any) -> str:
    """What kind of value it is, in words; lists and tuples are one kind."""
    kinds = {(int, float): "a number", (list, tuple): "a list", (dict,): "a dict"}
    named = (name for types, name in kinds.items() if isinstance(value, types))
    return next(named, f"a {type(value).__name__}")


def diagnosis(exercise: Exercise, cases: Sequence[tuple[Any, ...]], results: Sequence[Any]) -> str:
    """The classic mistake that gives the same results on every case, as a line, or nothing."""
    for mistake in exercise.mistakes:
        if all(same(result, outcome(mistake.wrong, case)) for result, case in zip(results, cases)):
            return f"\nThis looks like {mistake.name}: {mistake.says}"
    if isinstance(results[-1], TimeoutError):
        return "\nThis looks like an endless loop: does every way through the loop move on?"
    return ""


def outcome(answer: Any, case: tuple[Any, ...]) -> Any:
    """What an answer gives for a case: its result, or the exception it raises. The case is not changed."""
    if not callable(answer):
        return answer
    lines = 0

    def count_line(frame: Any, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += 1
        if lines > LINES:
            raise TimeoutError(f"stopped after {LINES:,} lines")
        return count_line

    before = sys.gettrace()
    try:
        sys.settrace(count_line)
        result = answer(*deepcopy(case))
        return list(result) if hasattr(result, "__next__") else result
    except Exception as error:
        return error
    finally:
        sys.settrace(before)


def same(result: Any, right: Any) -> bool:
    """Whether two outcomes are equal; lists and tuples count alike, exceptions by their type."""
    if isinstance(right, Exception) or isinstance(result, Exception):
        return type(result) is type(right)
    if isinstance(right, list | tuple) and isinstance(result, list | tuple):
        return len(result) == len(right) and all(map(same, result, right))
    return bool(result == right)
