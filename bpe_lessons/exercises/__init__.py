"""Check a learner's answer: not written yet, the first failing case with a diagnosis, or all pass."""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from bpe_lessons.exercises.trial import EndlessLoop, Raised, outcome, same, shown

FRESH_CASES = 30
REPORTS = "BPE_LESSONS_REPORTS"  # names a file to which `check` adds a line: the id and how it went


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
    report = judge(id, answer)
    if REPORTS in os.environ:
        state = (
            "all pass" if report.passed else "not written yet" if report == unwritten(id) else "not right yet"
        )
        with open(os.environ[REPORTS], "a", encoding="utf-8") as reports:
            reports.write(f"{id} {state}\n")
    return report


def judge(id: str, answer: Any) -> Report:
    """The report on an answer."""
    exercise = find(id)
    if answer is ... or answer is None:
        return unwritten(id)
    if callable(exercise.right) and not callable(answer):
        return Report(
            f"{id}: a function is asked for, not {shown(answer)}. Pass its name without parentheses."
        )
    cases = list(exercise.cases)
    if exercise.fresh:
        random_source = random.Random(id)
        cases += [exercise.fresh(random_source) for _ in range(FRESH_CASES)]
    results = []
    for case in cases:
        result = outcome(answer, case)
        if isinstance(result, Raised) and isinstance(result.error, NotImplementedError):
            return unwritten(id)
        results.append(result)
        if endless(result):  # one is enough
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
        return f"{exercise.id}: {shown(result)} is not right.{misfit(exercise.right, result)}"
    call = ", ".join(map(shown, case))
    want = outcome(exercise.right, case)
    got = f"gives {shown(result)}"
    if endless(result):
        got = "does not come to an end"
    elif isinstance(result, Raised):
        got = f"raises {type(result.error).__name__}: {result.error}"
    wanted = f"raise {type(want.error).__name__}" if isinstance(want, Raised) else f"give {shown(want)}"
    return f"{exercise.id}: for ({call}) it {got}\nand should {wanted}.{misfit(want, result)}"


def endless(result: Any) -> bool:
    """Whether an answer had to be stopped."""
    return isinstance(result, Raised) and isinstance(result.error, EndlessLoop)


def misfit(want: Any, result: Any) -> str:
    """A line on a result that is not even of the kind asked for, or nothing."""
    if want is None or isinstance(want, Raised) or isinstance(result, Raised):
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
    if endless(results[-1]):
        return "\nThis looks like an endless loop: does every way through the loop move on?"
    return ""
