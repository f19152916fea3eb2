"""The machinery of exercises: whatever a learner hands in, `check` answers in a few lines."""

import itertools
import sys

import pytest

from bpe_lessons import check, hint, solutions
from bpe_lessons.exercises import all_exercises
from bpe_lessons.exercises.trial import Raised, outcome, same


def loop_on_one_line(symbols, left, right):
    while True: pass  # noqa: E701  # fmt: skip


def loop_that_catches(symbols, left, right):
    while True:
        try:
            while True:
                symbols = list(symbols)
        except Exception:
            pass


@pytest.mark.parametrize("answer", [loop_on_one_line, loop_that_catches])
def test_an_endless_loop_is_stopped_and_named(answer):
    report = check("02-3", answer)
    assert not report.passed and "endless loop" in report.text


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda symbols, left, right: itertools.count(), "gives [0, 1, 2"),
        (lambda symbols, left, right: sys.exit(3), "raises SystemExit: 3"),
        (lambda symbols, left, right: 1 / 0, "raises ZeroDivisionError"),
        (lambda symbols: symbols, "raises TypeError"),
        (lambda symbols, left, right: None, "is there a `return`"),
        (lambda symbols, left, right: "x" * 10**6, "..."),
        (lambda symbols, left, right: ValueError("x"), "gives ValueError"),
    ],
)
def test_odd_answers_get_a_short_report(answer, says):
    report = check("02-3", answer)
    assert not report.passed and says in report.text
    assert len(report.text) < 1500


def test_an_exception_must_be_raised():
    class Special(ValueError):
        pass

    def refuses(vocab_size, special_tokens):
        raise Special

    assert same(outcome(refuses, (1, 2)), Raised(ValueError()))
    assert not same(ValueError(), Raised(ValueError()))


def test_arrays_are_compared_without_a_traceback():
    numpy = pytest.importorskip("numpy")
    assert not check("02-3", lambda symbols, left, right: numpy.array([1, 2])).passed
    assert not check("02-1", numpy.array([9, 9])).passed


def test_a_case_is_not_changed_by_an_answer():
    case = ([1, 2, 3],)
    outcome(lambda items: items.clear(), case)
    assert case == ([1, 2, 3],)


def test_unknown_exercises_and_hints():
    with pytest.raises(ValueError, match="no exercise '02-9'; there are 02-1, 02-2"):
        check("02-9", 1)
    with pytest.raises(ValueError, match="no hint 3"):
        hint("02-1", 3)
    assert "02-2" in hint("02-2", 2).text


every_exercise = pytest.mark.parametrize(
    "exercise", all_exercises().values(), ids=lambda exercise: exercise.id
)


def not_started(*case):
    raise NotImplementedError


@every_exercise
def test_the_worked_answer_passes(exercise):
    report = check(exercise.id, getattr(solutions, f"answer_{exercise.id.replace('-', '_')}"))
    assert report.passed, report


@every_exercise
def test_an_empty_answer_is_not_written_yet(exercise):
    for empty in (..., None, not_started) if callable(exercise.right) else (..., None):
        assert "not written yet" in check(exercise.id, empty).text


@every_exercise
def test_two_hints(exercise):
    first, second = exercise.hints
    assert first and second and first != second


@every_exercise
def test_each_mistake_is_named(exercise):
    for mistake in exercise.mistakes:
        report = check(exercise.id, mistake.wrong)
        assert not report.passed and f"This looks like {mistake.name}:" in report.text, mistake.name


@pytest.mark.parametrize(
    "exercise", [it for it in all_exercises().values() if it.fresh], ids=lambda exercise: exercise.id
)
def test_knowing_the_visible_cases_by_heart_fails(exercise):
    known = {repr(case): exercise.right for case in exercise.cases}

    def by_heart(*case):
        return known[repr(case)](*case) if repr(case) in known else 0

    assert not check(exercise.id, by_heart).passed
