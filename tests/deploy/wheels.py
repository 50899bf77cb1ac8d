"""Treadle's wheel, built of this checkout."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
UV = Path(sys.executable).with_name("uv")


def build_wheel(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel into a folder, without a registry: Treadle's, or another one of this checkout."""
    options = ("--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable)
    subprocess.run([UV, "build", *options, "--out-dir", folder, source], check=True)
    return next(folder.glob("*.whl"))
