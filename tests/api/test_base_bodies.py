"""How a person says that the base is to be taken in, as JSON has it."""

import pytest
from pydantic import ValidationError

from api.threads.bodies import BaseBody
from domain.threads.bases.commands import BaseMethod


@pytest.mark.parametrize("method", [*BaseMethod])
def test_a_method_is_taken_by_its_name(method: BaseMethod) -> None:
    body = BaseBody.model_validate({"command_id": "u", "method": str(method)})

    assert body.method is method


def test_another_method_is_refused() -> None:
    with pytest.raises(ValidationError, match="method"):
        BaseBody.model_validate({"command_id": "u", "method": "guess"})
