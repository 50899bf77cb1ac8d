"""The description of the API in the tree; made by a process of its own, as tests define event kinds."""

import subprocess
import sys

from api.openapi import FILE

DOCUMENT = "import sys; from api import openapi; sys.stdout.write(openapi.document())"


def test_the_description_in_the_tree_is_that_of_the_code():
    made = subprocess.run([sys.executable, "-c", DOCUMENT], capture_output=True, check=True)
    assert made.stdout.decode() == FILE.read_text(), "run `make openapi`"
