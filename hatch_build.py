"""Puts the launcher package into the wheel under its own name (docs/adr/0001), and the page.

A build hook, because the plain `force-include` table would copy the launcher into an editable
install too, where the checkout's own must be found.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from web.build_page import build_page


class WheelHook(BuildHookInterface):
    """Builds the page, and adds treadle/ beside the packages that `sources` moves below it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the launcher in, in standard wheels only; "/" as the target's prefix is added already."""
        build_page()
        if version == "standard":
            build_data["force_include"]["treadle"] = "/"
