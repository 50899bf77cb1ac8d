"""Installs the agents that CI runs before their tests ask for them: `python -m tests.agents`.

Nothing depends on it: a test that does not find its agent installs it, and says why it cannot.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.agents.builtin.client import installed
from tests.agents.contenders import CONTENDERS
from tests.agents.installation import INSTALL_SECONDS, PROGRAMS


def main() -> None:
    """Install Treadle's own agent and those of profiles, by Treadle's own command."""
    asyncio.run(installed())
    treadle = Path(sys.executable).with_name("treadle")
    with (
        TemporaryDirectory() as folder
    ):  # an engine that runs here would install into its own place
        places = {"TREADLE_PROGRAMS_DIR": str(PROGRAMS), "TREADLE_DATA_DIR": folder}
        for each in CONTENDERS:
            if each.is_in_ci and each.is_installed_by_treadle:
                command = (treadle, "agents", "install", each.name)
                environment = {**os.environ, **places}
                subprocess.run(command, env=environment, timeout=INSTALL_SECONDS, check=False)


if __name__ == "__main__":
    main()
