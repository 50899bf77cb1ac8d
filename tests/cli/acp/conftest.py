"""An editor's desk before an engine that is a stand-in."""

from typing import cast
from unittest.mock import AsyncMock

import pytest

from cli.acp.engine import Engine
from cli.acp.following import Desk
from tests.cli.acp.engine_stand_in import FakeEngine


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def desk(engine: FakeEngine) -> Desk:
    return Desk(engine=cast(Engine, engine), editor=AsyncMock(), page="")
