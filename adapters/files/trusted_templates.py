"""Which templates a person lets act: each by its path and the very content that they were shown.

A file (0600) of its own for each, so that two writers are never in each other's way.
"""

import hashlib
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from domain.templates.template import PlanTemplate
from domain.wire import Wire


class _Trusted(Wire):
    """Whose content was trusted, and by whom."""

    path: str
    content_hash: str
    by: str = ""


class TrustedTemplates:
    """The templates that are trusted, under the data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "trust"

    def has(self, template: PlanTemplate) -> bool:
        """Tell whether a template is trusted as it is now, at its place."""
        try:
            kept = _Trusted.model_validate_json(self._file(template).read_bytes())
        except (OSError, ValidationError):
            return False
        return (kept.path, kept.content_hash) == (template.path, template.content_hash)

    def add(self, template: PlanTemplate, by: str) -> None:
        """Trust a template as it is; once more is harmless. It is on the disk on return."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = _Trusted(path=template.path, content_hash=template.content_hash, by=by)
        write_atomic(self._file(template), kept.model_dump_json(), is_durable=True)

    def _file(self, template: PlanTemplate) -> Path:
        what = f"{template.content_hash} {template.path}".encode("utf-8", "surrogateescape")
        return self._folder / f"template-{hashlib.sha256(what).hexdigest()}.json"
