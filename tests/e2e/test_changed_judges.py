"""Work that changed what verifies it, or that nothing verified, waits for a person and says so everywhere."""

import hashlib
from pathlib import Path

import httpx
import pytest

from domain.core.approvals import Decider
from tests.e2e.engine import Engine
from tests.e2e.job import git
from tests.e2e.test_hidden_work import Hidden

pytestmark = pytest.mark.e2e

AUTHOR = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
MAKEFILE = "check:\n\tsh tools/verify.sh\n"
SCRIPT = "test -f answer.txt\n"
CHANGED = [{"run": "echo true > tools/verify.sh"}]
OPENED = "opened by step check, changed by this task: tools/verify.sh"
NO_STEP = "verified by nothing: no required step looked at this change"
LIFTED = "an automatic gate does not wait for it: the template says `judges: tell`"
TEMPLATE = "---\nname: Default\nverification:\n  judges: tell\n---\n"


class Judged(Hidden):
    """A task of a repository whose check calls a script in turn."""

    def __init__(
        self, engine: Engine, http: httpx.AsyncClient, folder: Path, deeds, **more
    ) -> None:
        super().__init__(engine, http, folder, ("make check", deeds), **more)
        (self.repository / "tools").mkdir()
        (self.repository / "tools" / "verify.sh").write_text(SCRIPT)
        (self.repository / "Makefile").write_text(MAKEFILE)
        git(self.repository, "add", "--all")
        git(self.repository, *AUTHOR, "commit", "--quiet", "--message", "Call a script")


async def test_a_script_that_the_check_calls_in_turn_is_reported_and_waits_for_a_person(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = Judged(engine, http, tmp_path, CHANGED)
    await job.begin()

    gate = await job.seen("gate_opened", "value")
    ended = await job.seen("verification_step_ended", "value")

    assert [one.name for one in ended.result.judged] == ["tools/verify.sh"]
    assert gate.doubts == (OPENED,)
    shown = engine.run("treadle", "show", job.thread, "value", timeout=60).stdout
    assert OPENED in " ".join(shown.split())
    export = (await http.get(f"/v1/threads/{job.thread}/export")).text
    assert "opened by step check" in export
    (task,) = (await job.view())["tasks"]
    assert task["doubts"] == [OPENED]
    await job.approve(gate)
    assert (await job.seen("gate_decided", "value")).outcome.decider == Decider.PERSON
    await job.seen("task_merged")


async def test_what_nothing_verified_waits_for_a_person(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = Judged(engine, http, tmp_path, [{"write": "answer.txt", "text": "x\n"}], steps=[])
    await job.begin()

    gate = await job.seen("gate_opened", "value")

    assert gate.doubts == (NO_STEP,)
    await job.approve(gate)
    assert (await job.seen("gate_decided", "value")).outcome.decider == Decider.PERSON


async def test_a_template_that_is_trusted_lets_it_pass_and_is_named(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = Judged(engine, http, tmp_path, CHANGED)
    file = job.repository / ".treadle/plan-templates/default/TEMPLATE.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEMPLATE)
    words = ("--repo", str(job.repository), "--hash", hashlib.sha256(TEMPLATE.encode()).hexdigest())
    trusted = engine.run("treadle", "template", "trust", *words, timeout=60)
    assert trusted.returncode == 0, trusted.stderr
    await job.begin()

    gate = await job.seen("gate_opened", "value")

    assert gate.doubts == (OPENED, LIFTED)
    assert (await job.seen("gate_decided", "value")).outcome.decider == Decider.POLICY
    await job.seen("task_merged")
