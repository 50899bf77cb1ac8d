"""Books, and reading them from a CSV file."""

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Book:
    """One book."""

    title: str
    author: str
    pages: int


def read(path: Path) -> list[Book]:
    """Read a file with the columns title, author and pages."""
    with path.open(newline="") as file:
        return [Book(r["title"], r["author"], int(r["pages"])) for r in csv.DictReader(file)]
