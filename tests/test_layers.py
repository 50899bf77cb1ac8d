"""The import contracts find what they forbid."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("domain", "activities", "workflows", "adapters", "api", "cli")
PLANTED = {
    "domain/core/graphs.py": "from domain.threads.state import ThreadState",
    "domain/flows/state.py": "from domain.queue.entry import QueueEntry",
    "domain/plans/plan.py": "import subprocess",
    "workflows/options.py": "import random",
    "activities/codes.py": "import httpx",
    "adapters/redaction.py": "import workflows.options",
    "api/core/rates.py": "from api.threads import bodies",
    "cli/__init__.py": "import temporalio",
    "cli/plans/plans.py": "from cli.threads.list import STATUS_STYLES",
}
BROKEN = {
    "A concept of the domain knows those below it",
    "The domain is pure",
    "Workflows reach no outside world, even through others",
    "Activities see the outside world through ports only",
    "Adapters know the domain only",
    "The API is one application of resources on a shared core",
    "A resource of the CLI knows those below it",
    "The CLI speaks REST",
}


def test_each_contract_finds_a_forbidden_import(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file in ROOT.glob("*.py"):
        shutil.copy(file, tmp_path)
    for package in PACKAGES:
        without = shutil.ignore_patterns("__pycache__", "page", "node_modules")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=without)
    for name, line in PLANTED.items():
        with (tmp_path / name).open("a") as file:
            file.write(f"\n{line}\n")

    linted = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert linted.returncode == 1
    found = set(re.findall(r"^(.+) BROKEN", linted.stdout, re.MULTILINE))
    assert found >= BROKEN
