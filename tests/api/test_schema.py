"""Requests made from our OpenAPI by Schemathesis, against a running server with real workflows.

TREADLE_SCHEMA_EXAMPLES=200 asks for that many of each operation, and for those at the edges of each
parameter too.
"""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from limits import RateLimitItemPerSecond

from api.core.rates import Limits
from tests.api.conftest import event
from tests.api.serving import serving

SCHEMATHESIS = Path(sys.executable).parent / "st"
EXAMPLES = os.environ.get("TREADLE_SCHEMA_EXAMPLES", "")
PHASES = "examples,coverage,fuzzing" if EXAMPLES else "fuzzing"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
EVERYTHING = Limits(writes=RateLimitItemPerSecond(1_000_000))


@pytest.mark.timeout(1800)
async def test_nothing_is_answered_that_the_description_does_not_know(settings, temporal, tmp_path):
    async with serving(settings, temporal, EVERYTHING) as (journal, http, _):
        await journal.append([event(0)])
        description = tmp_path / "openapi.json"
        description.write_text((await http.get("/v1/openapi.json")).text)
        run = await asyncio.create_subprocess_exec(
            SCHEMATHESIS,
            *("run", description, "--url", settings.api_url, "--checks", CHECKS),
            *("--header", f"Authorization: {http.headers['Authorization']}"),
            *("--max-examples", EXAMPLES or "3", "--phases", PHASES),
            # the last asks for a worker's own work, and there is none: 503 (test_agents.py)
            *("--exclude-path-regex", "/events$|/stream$|/{kind}$", "--seed", "1", "--no-color"),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await run.communicate()
    told = output.decode()
    print(told.partition("= FAILURES =")[2][:4000], told[-2000:])  # noqa: T201  (what was tried)
    assert run.returncode == 0
