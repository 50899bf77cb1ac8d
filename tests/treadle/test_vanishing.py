"""Files of an engine that are removed or replaced while it runs."""

import asyncio
import shutil

import pytest

from settings import Settings
from treadle.vanishing import until_a_file_is_gone

DEADLINE = 60


@pytest.mark.parametrize("name", ["journal.db", "temporal.db", "", "replaced"])
async def test_a_file_that_goes_is_named_within_seconds(settings: Settings, name: str):
    journal = settings.data_dir / "journal.db"
    journal.touch()
    watching = asyncio.create_task(until_a_file_is_gone(settings))
    await asyncio.sleep(0)  # it has looked once
    late = settings.data_dir / "temporal.db"
    late.touch()  # as Temporal's server makes it
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(watching), 1.5)

    if name == "replaced":
        other = settings.data_dir / "other.db"
        other.touch()
        other.rename(journal)
        name = "journal.db"
    elif name:
        (settings.data_dir / name).unlink()
    else:
        shutil.rmtree(settings.data_dir)

    words = await asyncio.wait_for(watching, DEADLINE)
    assert f"{settings.data_dir / name} was removed or replaced" in words
