"""A data folder and the versions that use it, in both directions; and what its programs say."""

import json
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from adapters.data_version import NAME, DataVersionError, check_data_version
from adapters.journal.schema import generation_of, newest_revision
from settings import Settings, environment_of
from tests.free_ports import free_ports
from treadle.engine import LAUNCH, prepare_data_dir

OURS = generation_of(newest_revision())


def used_by(data_dir: Path, generation: int, name: str = "9.9.9") -> None:
    (data_dir / NAME).write_text(json.dumps({"generation": generation, "treadle": name}))


def noted(data_dir: Path) -> Any:
    return json.loads((data_dir / NAME).read_bytes())


@pytest.mark.parametrize("before", [None, "{", "[]", OURS - 1], ids=["none", "cut", "odd", "older"])
def test_an_older_folder_is_taken_and_marked(tmp_path: Path, before: int | str | None):
    if isinstance(before, str):
        (tmp_path / NAME).write_text(before)
    elif before is not None:
        used_by(tmp_path, before)
    check_data_version(tmp_path)
    assert noted(tmp_path) == {"generation": OURS, "treadle": version("treadle")}


def test_a_folder_of_the_next_version_is_used_and_stays_marked(tmp_path: Path):
    used_by(tmp_path, OURS + 1)
    check_data_version(tmp_path)
    assert noted(tmp_path)["generation"] == OURS + 1


def test_a_folder_of_a_later_one_is_refused_and_stays_as_it_is(tmp_path: Path):
    used_by(tmp_path, OURS + 2)
    with pytest.raises(DataVersionError, match=r"install 9\.9\.9 or newer again, or restore"):
        check_data_version(tmp_path)
    assert noted(tmp_path) == {"generation": OURS + 2, "treadle": "9.9.9"}


@pytest.mark.parametrize("part", ["worker", "api"])
def test_a_program_that_is_too_old_ends_with_a_sentence(tmp_path: Path, part: str):
    settings = Settings(data_dir=tmp_path / "data", api_port=free_ports(1)[0])
    prepare_data_dir(settings)
    used_by(settings.data_dir, OURS + 2)
    done = subprocess.run(
        [*LAUNCH, part],
        env=environment_of(settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"treadle {part}: the data folder {settings.data_dir} was used by"
    )
    assert "Traceback" not in done.stderr
    assert not (settings.data_dir / "journal.db").exists()
