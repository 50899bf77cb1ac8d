"""Runs the scripted agent from a path, without Treadle's launcher."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from adapters.scripted_agent import main

main(sys.argv[1:])
