"""Temporal's Web UI on an engine in containers, over its published port."""

import base64

import httpx

from tests.deploy.containers import Container

CODEC = "/v1/temporal/codec/decode"
LISTED = 'TreadleKind = "thread" AND TreadleStatus != "needs you"'


async def see_in_web_ui(inside: Container, port: int, thread: str) -> None:
    """Sign in by the link of the command line, find a thread by its kind, and read its goal."""
    link = inside.run("treadle", "open", "--temporal", thread).strip()
    origin, _, code = link.partition("/open/")
    headers = {"Host": origin.removeprefix("http://"), "Origin": origin}
    here = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(
        base_url=here, headers=headers, trust_env=False, timeout=60
    ) as http:
        signed_in = await http.get(f"/open/{code}")
        screen = signed_in.headers["location"]
        workflow = f"/api/v1{screen}"
        listed = await http.get(workflow.rpartition("/")[0], params={"query": LISTED})
        history = (await http.get(f"{workflow}/history")).json()["history"]["events"]
        sealed = history[0]["workflowExecutionStartedEventAttributes"]["input"]
        shown = await http.post(CODEC, json=sealed)

    assert screen == f"/namespaces/default/workflows/{thread}"
    assert thread in {found["execution"]["workflowId"] for found in listed.json()["executions"]}
    assert thread not in clear(sealed)
    assert thread in clear(shown.json())


def clear(payloads: dict[str, list[dict[str, str]]]) -> str:
    """Return what payloads hold, as it is."""
    return "".join(
        base64.b64decode(each["data"]).decode("latin-1") for each in payloads["payloads"]
    )
