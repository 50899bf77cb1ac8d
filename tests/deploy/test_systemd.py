"""The units of deploy/systemd, read by systemd itself."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.wheels import ROOT
from treadle.__main__ import PARTS

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
TREADLE = Path(sys.executable).with_name("treadle")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_fault_in_a_unit(unit: Path, tmp_path: Path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: `make test-all` installs it on Debian")
    here = tmp_path / unit.name
    started = re.compile(r"^ExecStart=\S+/treadle ", re.M)
    text, count = started.subn(f"ExecStart={TREADLE} ", unit.read_text())
    here.write_text(text)
    done = subprocess.run(
        ("systemd-analyze", "--recursive-errors=no", "verify", here),
        capture_output=True,
        text=True,
        check=False,
    )

    assert count == 1
    assert (done.returncode, done.stderr) == (0, "")


def test_each_unit_starts_a_part_of_treadle():
    started = [re.search(r"^ExecStart=\S+/treadle (\S+)$", u.read_text(), re.M) for u in UNITS]
    assert {found[1] for found in started if found} == {"api", "worker", "up"}
    assert {"api", "worker"} <= set(PARTS)
