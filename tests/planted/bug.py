"""A planted bug: a change of one place in one file, and the tests that must fail by it."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class PlantedBug:
    """`old` occurs once in `file`, where `new` takes its place; `tests` are ids of pytest."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def problem(self, root: Path = ROOT) -> str:
        """Return why it cannot be planted, empty where it can."""
        file = root / self.file
        found = file.read_text().count(self.old) if file.exists() else 0
        if found != 1:
            return f"{self.name}: the old text is in {self.file} {found} times"
        return ""

    def plant(self, root: Path) -> str:
        """Put the bug into a copy of the tree; returns the file as it was."""
        file = root / self.file
        sound = file.read_text()
        file.write_text(sound.replace(self.old, self.new))
        return sound
