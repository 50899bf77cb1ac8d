"""Everything that is locked is there for 64-bit ARM as well: wheels for glibc 2.28 or newer, and the page's tools."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.deploy.containers import ROOT
from tests.deploy.wheels import UV

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

SOURCE_ONLY = ("http-ece",)
"""Packages of pure Python that PyPI has without a wheel; pywebpush needs this one."""


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_each_locked_package_has_a_wheel(lock: str, tmp_path: Path):
    from_source = [option for name in SOURCE_ONLY for option in ("--no-binary", name)]
    only_wheels = ("--only-binary", ":all:", *from_source, "--require-hashes", "--no-deps")
    where = ("--python-platform", "aarch64-manylinux_2_28", "--target", str(tmp_path))
    done = subprocess.run(
        [UV, "pip", "install", "--dry-run", *only_wheels, *where, "--requirement", ROOT / lock],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "temporalio==" in done.stderr


def test_each_native_package_of_the_page_has_one():
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    native = [name for name in locked if "linux-x64-gnu" in name]
    assert native
    assert [n for n in native if n.replace("x64", "arm64") not in locked] == []
