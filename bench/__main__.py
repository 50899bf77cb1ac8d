"""`make bench`: Treadle against bare Temporal, in turns, with this interpreter; ends within ten minutes, with the ratios.

Arguments go to peers/run_all.py (`--peers` adds others, each in a venv of its own with `--envs`); results go to a fresh
folder unless one is named first.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

RUN_ALL = Path(__file__).parent / "peers" / "run_all.py"
REFERENCE = "temporal:child+normal"
WORK = "w1:20,w1:100,w2,w3,w5@1000,w4:300,w4:1000,w1:500,w1:1000"
DEFAULTS = [
    *("--work", WORK, "--rounds", "1", "--count", "60", "--minutes", "10"),
    *("--peers", f"treadle,{REFERENCE}", "--ref", REFERENCE, "--python", sys.executable),
]

given = sys.argv[1:]
out = given.pop(0) if given and not given[0].startswith("-") else tempfile.mkdtemp(prefix="bench-")
sys.exit(subprocess.call([sys.executable, RUN_ALL, out, *DEFAULTS, *given]))
