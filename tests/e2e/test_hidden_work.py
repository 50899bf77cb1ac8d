"""What an agent hides from git verifies nothing: steps run on the commit that would be merged."""

from pathlib import Path

import httpx
import pytest
import yaml

from domain.core.approvals import Decider
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git

pytestmark = pytest.mark.e2e

FORGE = """
printf 'VALUE = "right"\\n' > forged.txt
python3 - <<'EOF'
import importlib.util, py_compile
py_compile.compile("forged.txt", cfile=importlib.util.cache_from_source("mod.py"),
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
EOF
rm forged.txt
"""
ATTACKS = {
    "a makefile that goes before the real one": (
        "make check",
        [
            {"write": ".gitignore", "text": "__pycache__/\nnode_modules/\nGNUmakefile\n"},
            {"write": "GNUmakefile", "text": "check:\n\ttrue\n"},
        ],
    ),
    "a file ignored by an ignored list": (
        "test -f answer.txt",
        [
            {"write": "sub/.gitignore", "text": "*\n"},
            {
                "write": ".gitignore",
                "text": "__pycache__/\nnode_modules/\n/.gitignore\nanswer.txt\n",
            },
            {"write": "answer.txt", "text": "right\n"},
        ],
    ),
    "forged byte code": (
        "python3 -c \"import mod; assert mod.VALUE == 'right'\"",
        [{"run": FORGE}],
    ),
}
DEPENDENT = (
    "sh node_modules/check",
    [{"run": "mkdir node_modules; echo true > node_modules/check"}],
)


class Hidden(Job):
    """One task whose agent does what the test says, with a gate that nobody keeps."""

    def __init__(
        self, engine: Engine, http: httpx.AsyncClient, folder: Path, attack, steps=None
    ) -> None:
        super().__init__(engine, http, folder)
        command, deeds = attack
        checks = [{"type": "command", "label": "check", "command": command}]
        task = {
            "id": "value",
            "title": "Make it right",
            "gate": "auto",
            "maxRetries": 0,
            "verification": checks if steps is None else steps,
        }
        plan = {"goal": "Right", "summary": "One task.", "tasks": [task]}
        script = {
            "name": "hidden",
            "rules": [
                {
                    "when": {"prompt": ["planner", "planner-feedback"]},
                    "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
                },
                {
                    "when": {"task": "value"},
                    "steps": [*deeds, {"call": "report_done", "with": {"summary": "done"}}],
                },
            ],
        }
        files = {
            ".treadle/scenario.yaml": yaml.safe_dump(script, sort_keys=False),
            ".gitignore": "__pycache__/\nnode_modules/\n",
            "Makefile": "check:\n\ttest -f answer.txt\n",
            "mod.py": 'VALUE = "wrong"\n',
        }
        for name, text in files.items():
            (self.repository / name).write_text(text)
        author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
        git(self.repository, "add", "--all")
        git(self.repository, *author, "commit", "--quiet", "--message", "Set the stage")


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
async def test_what_git_does_not_know_verifies_nothing(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path, attack
):
    job = Hidden(engine, http, tmp_path, attack)
    await job.begin()

    ended = await job.seen("verification_step_ended", "value")
    assert not ended.result.passed, ended.result.output
    assert (await job.seen("task_ended", "value")).end == "failed"


async def test_dependencies_that_only_the_agent_knows_wait_for_a_person(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = Hidden(engine, http, tmp_path, DEPENDENT)
    await job.begin()

    gate = await job.seen("gate_opened", "value")
    ended = await job.seen("verification_step_ended", "value")

    assert (ended.result.passed, ended.result.carried) == (True, ("node_modules",))
    assert ended.result.tree == gate.snapshot.tree
    shown = engine.run("treadle", "show", job.thread, "value", timeout=60).stdout
    assert "verified with the task's node_modules" in shown
    await job.approve(gate)
    assert (await job.seen("gate_decided", "value")).outcome.decider == Decider.PERSON
    await job.seen("task_merged")
    assert not list(engine.settings.data_dir.glob("worktrees/*/*-clean-*"))
