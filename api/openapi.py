"""The OpenAPI description in openapi.json: `python -m api.openapi` writes it."""

import json
import tempfile
from pathlib import Path

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)
from api.app import create_app
from settings import Settings

FILE = Path(__file__).with_name("openapi.json")


def document() -> str:
    """Return the text of the file."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder)))
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(document())
