"""A full disk under the API is told as what it is, whoever wrote: no defect, and to be tried again."""

import errno

import httpx
from fastapi import FastAPI

from api.core import errors


def app_that_meets(error: OSError, data_dir: object) -> FastAPI:
    app = FastAPI()
    errors.install(app)
    app.state.settings = type("Settings", (), {"data_dir": data_dir})

    @app.get("/written")
    async def written() -> None:
        raise error

    return app


async def answer_of(app: FastAPI) -> httpx.Response:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://treadle") as client:
        return await client.get("/written")


async def test_a_full_disk_is_a_503_that_says_where(tmp_path):
    full = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "trust" / "x.json"))
    answer = await answer_of(app_that_meets(full, tmp_path))
    assert answer.status_code == 503
    assert answer.json()["type"] == "treadle:no_room"
    assert answer.json()["detail"].startswith("no space left on (data folder): ")


async def test_a_quota_that_names_no_file_is_told_of_the_data_folder(tmp_path):
    answer = await answer_of(app_that_meets(OSError(errno.EDQUOT, "Disk quota exceeded"), tmp_path))
    assert answer.json()["type"] == "treadle:no_room"


async def test_another_error_of_the_machine_stays_a_defect(tmp_path):
    answer = await answer_of(app_that_meets(OSError(errno.EIO, "I/O error"), tmp_path))
    assert (answer.status_code, answer.json()["type"]) == (500, "treadle:internal")
