"""What an agent leaves running does not get work through that was not committed."""

from pathlib import Path

import pytest
import yaml

from tests.e2e.engine import until
from tests.e2e.job import Job, git

pytestmark = pytest.mark.e2e

MEND = """
    (setsid sh -c 'until [ -e {flag} ]; do sleep 0.02; done; echo left > left.txt' >/dev/null 2>&1 &)
"""


async def test_work_that_is_fixed_while_it_is_verified_has_not_passed(job: Job):
    flag = job.stage.folder / "left.verifying.arrived"
    file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(file.read_text())
    steps = next(r for r in script["rules"] if r["when"] == {"task": "left", "prompt": "task"})
    write = next(step for step in steps["steps"] if "write" in step)
    write["text"] = "bad\n"
    steps["steps"].insert(steps["steps"].index(write) + 1, {"run": MEND.format(flag=flag)})
    again = {"when": {"task": "left", "prompt": "verification-failed"}}
    script["rules"].append({**again, "steps": [{"call": "report_done", "with": {"summary": "x"}}]})
    file.write_text(yaml.safe_dump(script, sort_keys=False))
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, *author, "commit", "--quiet", "--all", "--message", "Meddle")
    job.stage.hold("left.verifying")

    await job.begin()
    await job.stage.reached("left.verifying")
    listed = git(job.repository, "worktree", "list", "--porcelain").splitlines()
    trees = (Path(line[9:]) for line in listed if line.startswith("worktree "))
    works = (tree / "left.txt" for tree in trees if "-clean-" not in tree.name)
    (work,) = (file for file in works if file.exists())
    await until(lambda: work.read_text() == "left\n")
    job.stage.release("left.verifying")

    ended = await job.seen("verification_step_ended", "left", number=2)
    assert not ended.result.passed
    assert "a clean checkout of the commit" in ended.result.output
    await job.finish()
    assert git(job.repository, "show", f"treadle/{job.thread[7:]}:left.txt") == "left\n"
