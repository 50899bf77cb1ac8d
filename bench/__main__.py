"""`make bench`: Treadle against bare Temporal, in turns, with this interpreter; ends with the ratios.

Arguments go to peers/run_all.py; results go to a fresh folder unless one is named first.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

RUN_ALL = Path(__file__).parent / "peers" / "run_all.py"
REFERENCE = "temporal:child+normal"
DEFAULTS = [
    *("--work", "w1:20,w1:100,w1:190,w2,w3", "--rounds", "2", "--count", "60"),
    *("--peers", f"treadle,{REFERENCE}", "--ref", REFERENCE, "--python", sys.executable),
]

given = sys.argv[1:]
out = given.pop(0) if given and not given[0].startswith("-") else tempfile.mkdtemp(prefix="bench-")
sys.exit(subprocess.call([sys.executable, RUN_ALL, out, *DEFAULTS, *given]))
