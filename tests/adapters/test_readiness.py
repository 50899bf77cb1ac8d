"""What a namespace's first program says, and to whom."""

import os
import subprocess

from adapters.processes.readiness import saying_ready


def test_the_mark_comes_before_what_the_program_says():
    done = subprocess.run(saying_ready(("echo", "$0", "a b")), capture_output=True, check=True)

    assert done.stdout == b"\0$0 a b\n"


def test_no_program_starts_for_a_worker_that_is_gone(tmp_path):
    ours, its = os.pipe()
    os.close(ours)
    with os.fdopen(its) as output:
        subprocess.run(saying_ready(("touch", str(tmp_path / "ran"))), stdout=output, check=False)

    assert not (tmp_path / "ran").exists()
