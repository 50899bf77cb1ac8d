"""`python3 -m shelf FILE` prints the report."""

import sys
from pathlib import Path

from shelf import books, report

print(report.text(books.read(Path(sys.argv[1]))))
