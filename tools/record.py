"""Execute notebooks and save them without noise: python tools/record.py [NOTEBOOK ...] (default: all)."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from tqdm import tqdm

LESSONS = Path(__file__).parent.parent / "notebooks"


def record(path: Path) -> None:
    """Run a notebook from top to bottom and write its outputs; a failing cell leaves the file as it was."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        for noise in ("execution", "lines_to_next_cell", "lines_to_end_of_cell_marker"):
            cell.metadata.pop(noise, None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


if __name__ == "__main__":
    paths = [Path(name) for name in sys.argv[1:]] or sorted(LESSONS.glob("[0-9][0-9]_*.ipynb"))
    for path in tqdm(paths, unit="lesson", disable=None):
        record(path)
