"""A double of each forge."""

from collections.abc import Iterator

import pytest

from domain.forges.projects import ForgeKind
from tests.forge.adapters import KINDS
from tests.forge.double import Double, forge_double


@pytest.fixture(params=KINDS, ids=str)
def double(request: pytest.FixtureRequest) -> Iterator[Double]:
    kind: ForgeKind = request.param
    with forge_double(kind) as served:
        yield served
    assert served.wrong == []
