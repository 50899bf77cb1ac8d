"""Whether root may start an engine or a worker here (0039)."""

import os
from typing import Literal


def root_refusal(root: Literal["warn", "refuse"]) -> str:
    """Say why this process may not start one, by the setting; nothing where it may."""
    if root != "refuse" or os.geteuid():
        return ""
    return (
        "runs of root are forbidden here (TREADLE_ROOT=refuse): start it as an ordinary user, "
        "or with `treadle up --user NAME`"
    )
