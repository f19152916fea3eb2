"""Every lesson keeps the course's form: sections in order, clean saved runs, code equal to the package."""

import ast
import json
import re

import nbformat
import pytest

from bpe_lessons import lesson
from bpe_lessons.corpus import ROOT
from bpe_lessons.exercises import all_exercises

PATHS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
SECTIONS = [
    "Setup",
    "Before we start",
    "By hand",
    "Check it",
    "Where it breaks",
    "In the package",
    "Summary",
    "Check yourself",
    "Exercises",
    "In practice, and further reading",
]
lessons = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def cells(path, kind=None):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return [cell for cell in notebook.cells if kind in (None, cell.cell_type)]


def tags(cell):
    return cell.metadata.get("tags", [])


def headings(path):
    """The headings of a lesson as (level, text), code blocks in Markdown left out."""
    prose = "\n".join(cell.source for cell in cells(path, "markdown"))
    prose = re.sub(r"^```.*?^```", "", prose, flags=re.M | re.S)
    return [(len(marks), text.strip()) for marks, text in re.findall(r"^(#+) (.+)$", prose, flags=re.M)]


@lessons
def test_headings(path):
    levels = [level for level, _ in headings(path)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:]))
    names = [text for level, text in headings(path) if level == 2]
    wanted = [name for name in SECTIONS if name != "Before we start" or path.name[:2] != "01"]
    assert [name for name in names if name in SECTIONS] == wanted


@lessons
def test_goals_stand_before_the_first_section(path):
    second = cells(path)[1].source
    assert re.findall(r"^\*\*(.+?)\*\*", second, flags=re.M) == ["You will be able to", "You need", "Time"]


@lessons
def test_saved_from_one_clean_run(path):
    code = cells(path, "code")
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert set(raw["metadata"]) == {"kernelspec", "language_info"}
    assert raw["metadata"]["language_info"] == {"name": "python"}
    assert all(set(cell["metadata"]) <= {"tags"} for cell in raw["cells"])
    assert len({cell["id"] for cell in raw["cells"]}) == len(raw["cells"])


@lessons
def test_hard_edges_of_the_budgets(path):
    assert max(len(cell.source.splitlines()) for cell in cells(path, "code")) <= 40
    assert sum(len(json.dumps(cell.outputs)) for cell in cells(path, "code")) < 200_000
    assert path.stat().st_size < 1_000_000


@lessons
def test_nothing_hidden(path):
    code = cells(path, "code")
    imports = [i for i, cell in enumerate(code) if re.search(r"^(import|from) ", cell.source, flags=re.M)]
    assert imports == [0]
    for cell in code:
        assert not re.search(r"^\s*[%!]|import \*", cell.source, flags=re.M)
        ast.parse(cell.source)


@lessons
def test_no_path_of_a_machine_and_no_address(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(root|home|Users|tmp|work)/|[A-Z]:\\\\|object at 0x", text)


@lessons
def test_links_lead_somewhere(path):
    prose = "\n".join(cell.source for cell in cells(path, "markdown"))
    for target in re.findall(r"\]\(([^)#\s]+)", prose):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def functions(source):
    """The top-level functions of some code, without docstrings and annotations, by name."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            for part in ast.walk(node):
                if isinstance(part, ast.FunctionDef):
                    part.returns = None
                    if ast.get_docstring(part):
                        del part.body[0]
                if isinstance(part, ast.arg):
                    part.annotation = None
            body = ast.parse(re.sub(r"^(\s+\w+): [^=\n]+ = ", r"\1 = ", ast.unparse(node), flags=re.M))
            found[node.name] = ast.dump(body)
    return found


HOME = ROOT / "bpe_lessons" if (ROOT / "bpe_lessons").exists() else ROOT
LESSON = functions((HOME / "lesson.py").read_text(encoding="utf-8"))
TAUGHT = {  # modules built in a lesson
    "04": ["split"],
    "05": ["glyphs"],
    "06": ["measure"],
    "07": ["measure"],
    "09": ["chat"],
    "10": ["arithmetic"],
    "11": ["gage", "wordpiece", "unigram"],
    "12": ["engine/count", "engine/cut", "engine/encode", "engine/train"],
    "13": ["pipeline", "stages", "files"],
}


def package_functions(path):
    """The functions a lesson must not write otherwise: those of lesson.py and of the modules it teaches."""
    found = dict(LESSON)
    for module in TAUGHT.get(path.name[:2], []):
        found |= functions((HOME / f"{module}.py").read_text(encoding="utf-8"))
    return found


@lessons
def test_notebook_code_is_package_code(path):
    package = package_functions(path)
    for cell in cells(path, "code"):
        if "exercise" not in tags(cell):
            for name, tree in functions(cell.source).items():
                assert package.get(name, tree) == tree, f"{name} differs from the package's {name}"


def test_every_function_of_a_lesson_is_built_in_one():
    built = {name for path in PATHS for cell in cells(path, "code") for name in functions(cell.source)}
    helpers = {"learn", "spell", "symbols", "byte_order"}  # named calls, explained where they are used
    assert set(LESSON) - helpers <= built
    assert helpers.isdisjoint(built)


@lessons
def test_exercises_are_complete(path):
    number = path.name[:2]
    ids = [id for id in all_exercises() if id.startswith(number)]
    assert 3 <= len(ids) <= 5
    code = cells(path, "code")
    checked = []
    for before, cell in zip(code, code[1:]):
        if found := re.fullmatch(r'check\("([\d-]+)", (\w+)\)', cell.source.strip()):
            checked.append(found[1])
            assert "exercise" in tags(before) and found[2] in before.source
            assert f"{found[1]}: not written yet" in cell.outputs[0]["data"]["text/plain"]
            assert not hasattr(lesson, found[2]), f"{found[2]} occurs in the package"
    assert checked == ids
    titles = [text for level, text in headings(path) if level == 3 and text.startswith("Exercise")]
    assert [title.split()[1].rstrip(":") for title in titles] == ids


@lessons
def test_questions_have_folded_answers(path):
    prose = "\n".join(cell.source for cell in cells(path, "markdown"))
    assert prose.count("<details>") == prose.count("</details>") == prose.count("<summary>") >= 1
    assert prose.index("## Check yourself") < prose.rindex("<details>")


@lessons
def test_a_class_has_its_core(path):
    core = [cell for cell in cells(path) if "core" in tags(cell)]
    assert core[0].source.startswith("# ")
    assert any(cell.cell_type == "code" for cell in core)
    known = {"core", "exercise", "nbval-ignore-output"}
    assert all(set(tags(cell)) <= known for cell in cells(path))


def test_the_lessons_are_there():
    assert [path.stem for path in PATHS] == [
        "01_text_is_bytes",
        "02_train_by_counting",
        "03_encode_and_decode",
        "04_cut_before_you_merge",
        "05_bytes_you_can_print",
        "06_how_big_a_vocabulary",
        "07_zipf",
        "08_who_wins_a_tie",
        "09_special_tokens_and_chat",
        "10_what_the_model_sees",
        "11_other_roads",
        "12_make_it_fast",
        "13_open_a_real_one",
        "14_check_the_articles",
    ]


@lessons
def test_the_core_of_a_lesson_runs_alone(path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict = {}
    for cell in cells(path, "code"):
        if "core" in tags(cell):
            exec(compile(cell.source, path.name, "exec"), names)


@lessons
def test_lessons_are_a_chain(path):
    number = PATHS.index(path)
    first = cells(path)[0].source
    for word, neighbours in (
        ("Previous", PATHS[max(0, number - 1) : number]),
        ("Next", PATHS[number + 1 : number + 2]),
    ):
        found = re.findall(rf"{word}: \[\d\d [^\]]+\]\(([^)]+)\)", first)
        assert found == [neighbour.name for neighbour in neighbours], word
