"""The build id of this program: its version, with the commit of a checkout or the content of a wheel."""

import hashlib
import subprocess
from importlib.metadata import distribution
from pathlib import Path

DIGITS = 12


def build_id(checkout: Path) -> str:
    """Return an id that differs wherever the code differs; changes that are not committed do not count."""
    installed = distribution("treadle")
    commit = _commit(checkout) if (checkout / ".git").exists() else ""
    listed = installed.read_text("RECORD") or ""
    content = commit or hashlib.sha256(listed.encode()).hexdigest()
    return f"{installed.version}-{content[:DIGITS]}"


def _commit(checkout: Path) -> str:
    try:
        asked = subprocess.run(  # noqa: S603  (once, before anything is served)
            ["git", "-C", str(checkout), "rev-parse", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return asked.stdout.strip()
