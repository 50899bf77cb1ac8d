"""Puts the launcher package into the wheel under its own name (docs/adr/0001).

A build hook, because the plain `force-include` table would copy it into an editable install too,
where the checkout's own must be found.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LauncherHook(BuildHookInterface):
    """Adds treadle/ beside the packages that `sources` moves below it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the launcher in, in standard wheels only; "/" as the target's prefix is added already."""
        if version == "standard":
            build_data["force_include"]["treadle"] = "/"
