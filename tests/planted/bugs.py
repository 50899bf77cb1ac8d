"""All planted bugs."""

from tests.planted.deciding import DECIDING
from tests.planted.guarding import GUARDING
from tests.planted.running import RUNNING

BUGS = (*DECIDING, *RUNNING, *GUARDING)
