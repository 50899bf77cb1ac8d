"""Agents at the newest version that their registry has, in place of the one that Treadle pins."""

import re
import subprocess
import sys
from pathlib import Path

from adapters.agent_programs.programs import npm_name
from adapters.files.agent_profiles import BUILT_IN, AgentFiles
from domain.agents.profiles import Install
from tests.agents.installation import npm_command

LOOK_UP_SECONDS = 120


def newest_package(install: Install) -> str:
    """Ask an agent's registry for its newest version; returns the package as a profile pins it."""
    if install.npm:
        name = npm_name(install.npm)
        return f"{name}@{_printed(*npm_command(), 'view', name, 'version')}"
    name = install.pypi.partition("==")[0]
    uv = Path(sys.executable).parent / "uv"
    least = install.python.removeprefix(">=")
    options = ("--no-deps", "--no-header", "--no-annotate", "--quiet", "--python-version", least)
    pinned = _printed(uv, "pip", "compile", *options, "-", told=name)
    return f"{name}=={pinned.partition('==')[2]}"


def newest_profile(name: str) -> str:
    """Return the file of an agent of ours with its newest version pinned, as a user would write it."""
    install = AgentFiles().profile(name).install
    assert install is not None, f"Treadle installs no package for {name}"
    text = (BUILT_IN / f"{name}.yaml").read_text()
    return re.sub(re.escape(install.package), lambda _: newest_package(install), text)


def _printed(*command: Path | str, told: str = "") -> str:
    done = subprocess.run(
        command, input=told, capture_output=True, text=True, timeout=LOOK_UP_SECONDS, check=True
    )
    return done.stdout.strip()
