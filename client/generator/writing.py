"""Where the generated half is, and from what it is made."""

import json
from pathlib import Path

from generator.document import operations_of, schemas_of
from generator.models import models_module
from generator.operations import operations_module
from generator.problems import problems_module

CLIENT = Path(__file__).parent.parent
DOCUMENT = CLIENT.parent / "api" / "openapi.json"
PACKAGE = CLIENT / "treadle_client"


def write_client() -> None:
    """Write the three modules."""
    document = json.loads(DOCUMENT.read_text())
    (PACKAGE / "models.py").write_text(models_module(schemas_of(document)))
    (PACKAGE / "operations.py").write_text(operations_module(operations_of(document)))
    types = document["components"]["schemas"]["Problem"]["x-types"]
    (PACKAGE / "problems.py").write_text(problems_module(types))
