"""Makes the generated half before a wheel is packed, from the OpenAPI document beside this folder."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from generator.writing import write_client


class ClientHook(BuildHookInterface[Any]):
    """Writes the modules that are in no commit."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (hatchling's)
        """Write them."""
        write_client()
