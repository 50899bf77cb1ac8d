"""What a process does once it has entered a container's files, before it becomes bubblewrap.

Who does not see these files from outside looks at their links here; and who is confined may not enter
the namespaces of a process that is not, so it is confined only now.
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from adapters.processes.container_links import ContainerLinkError, places_in, refuse_links
from adapters.processes.landlock import PortRules, restrict_thread

_BECOME = """
import sys
sys.path.insert(0, sys.argv[1])
from adapters.processes.entry import become
become(sys.argv[2], sys.argv[3], sys.argv[4:])
"""


def entering(root: Path, rules: PortRules | None, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments that start bubblewrap's `argv`, a file's path first, from inside."""
    top = str(Path(__file__).resolve().parents[2])
    said = json.dumps(asdict(rules)) if rules else ""
    return (sys.executable, "-I", "-c", _BECOME, top, str(root), said, *argv)


def become(root: str, rules: str, argv: list[str]) -> None:
    """Look at the links of a container's files, be confined, and become the program."""
    try:
        refuse_links(Path(root), places_in(argv))
    except ContainerLinkError as error:
        sys.exit(str(error))
    if rules:
        restrict_thread(PortRules(**json.loads(rules)))
    os.execv(argv[0], argv)  # noqa: S606 - words of ours
