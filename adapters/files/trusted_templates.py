"""Which templates a person lets act; see trusted_files."""

from pathlib import Path

from adapters.files.trusted_files import TrustedFiles
from domain.plans.templates.template import PlanTemplate


class TrustedTemplates:
    """The templates that are trusted, under the data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._files = TrustedFiles(data_dir, "template")

    def has(self, template: PlanTemplate) -> bool:
        """Tell whether a template is trusted as it is now, at its place."""
        return self._files.has(template.path, template.content_hash)

    def add(self, template: PlanTemplate, by: str) -> None:
        """Trust a template as it is; once more is harmless. It is on the disk on return."""
        self._files.add(template.path, template.content_hash, by)
