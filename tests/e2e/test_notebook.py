"""The notebook of the Python client runs as it is, against a real engine, and is kept without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.e2e.engine import Engine

CLIENT = Path(__file__).parent.parent.parent / "client"
NOTEBOOK = CLIENT / "examples" / "first-thread.ipynb"


@pytest.fixture
def notebook() -> nbformat.NotebookNode:
    return nbformat.read(NOTEBOOK, as_version=4)


def test_the_notebook_is_kept_without_outputs(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell for cell in code if cell.outputs or cell.execution_count] == []


@pytest.mark.e2e
@pytest.mark.timeout(300)
async def test_the_notebook_runs(engine: Engine, notebook, tmp_path, monkeypatch):
    for name, value in engine.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", str(CLIENT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    running = NotebookClient(notebook, timeout=240, kernel_name="python3")
    await running.async_execute(cwd=str(tmp_path))

    printed = "".join(_texts(notebook))
    assert "completed treadle/" in printed
    assert "+++ b/" in printed, "the gate's diff was shown"
    pictures = [html for html in _html(notebook) if "<svg" in html]
    assert pictures
    assert pictures[0].count("<rect") >= len(running.nb.cells) // 4


def _texts(notebook: nbformat.NotebookNode) -> list[str]:
    return [
        o.text for c in notebook.cells for o in c.get("outputs", ()) if o.output_type == "stream"
    ]


def _html(notebook: nbformat.NotebookNode) -> list[str]:
    outputs = [o for c in notebook.cells for o in c.get("outputs", ())]
    return [o.data["text/html"] for o in outputs if "text/html" in o.get("data", {})]
