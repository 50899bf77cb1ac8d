"""A repository's template acts only after a person has seen what it does."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.engine import DEADLINE_SECONDS as SECONDS
from tests.e2e.engine import Engine
from tests.e2e.job import Job

pytestmark = pytest.mark.e2e

TEMPLATE = """---
name: Default
verification:
  steps:
    - {type: command, label: Build, command: touch built}
---
"""


@pytest.fixture
def treadle(engine: Engine, job: Job):
    """Run the command line in the job's repository, with words to say."""

    def run(*arguments: str, say: str = "") -> subprocess.CompletedProcess[str]:
        return engine.run(
            "treadle",
            *arguments,
            *("--repo", str(job.repository), "--json"),
            timeout=SECONDS,
            input=say,
        )

    return run


@pytest.fixture
def template(job: Job) -> Path:
    file = job.repository / ".treadle/plan-templates/default/TEMPLATE.md"
    file.parent.mkdir(parents=True)
    file.write_text(TEMPLATE)
    return file


def test_a_run_shows_what_an_untrusted_template_does_and_goes_on_after_a_yes(
    treadle, template: Path, engine: Engine
):
    refused = treadle("run", "Do it", "--agent", "scripted", "--detach")
    assert refused.returncode == 1
    for part in (str(template), "runs: touch built", "no answer"):
        assert part in refused.stderr

    done = treadle("run", "Do it", "--agent", "scripted", "--detach", say="y\n")
    assert done.returncode == 0, done.stderr
    thread = json.loads(done.stdout)["thread_id"]
    view = json.loads(engine.run("treadle", "show", thread, "--json", timeout=SECONDS).stdout)
    digest = hashlib.sha256(template.read_bytes()).hexdigest()
    assert (view["template_path"], view["template_hash"]) == (str(template), digest)

    template.write_text(TEMPLATE.replace("touch built", "touch owned"))
    again = treadle("run", "Do it", "--agent", "scripted", "--detach")
    assert "runs: touch owned" in again.stderr
    stale = treadle("template", "trust", "--hash", digest)
    assert "has changed since it was shown" in stale.stderr
