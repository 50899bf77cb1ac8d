"""Starts a sender's workflow template, by the API's own route: with its checks, its limits and its answers."""

import json
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx
from fastapi import FastAPI

from adapters.files.secret_file import SecretFile
from api.core.problems import RefusedError
from settings import Settings
from settings.webhooks import WebhookSender

_REPORTED = 300
_LATER = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.CONFLICT})


class TemplateStarts:
    """Asks the application beside as the owner's own programs do."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._settings: Settings = app.state.settings

    async def start(self, sender: WebhookSender, command: str, given: dict[str, str]) -> str:
        """Queue the goals of a sender's template; the same command is answered as before.

        Raises:
            RefusedError: It cannot be started: now (503), or like this (422).
        """
        body: dict[str, Any] = {"command_id": command, "repository": sender.repository}
        body |= {"parameters": given} | ({"agent": sender.agent} if sender.agent else {})
        path = f"/v1/workflow-templates/{quote(sender.template or '', safe='')}/start"
        async with self._client() as client:
            answer = await client.post(path, content=json.dumps(body).encode())
        if answer.is_success:
            entries = cast("list[dict[str, str]]", answer.json()["entries"])
            return ", ".join(entry["entry_id"] for entry in entries)
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status_code in _LATER:
            words = "this cannot be started now: send it again later"
            raise RefusedError(503, "not_taken", words, headers={"Retry-After": "30"})
        raise RefusedError(422, "not_taken", f"the template refused this: {_detail(answer)}")

    def _client(self) -> httpx.AsyncClient:
        token = SecretFile(self._settings.token_file).read().decode().strip()
        headers = {"Authorization": f"Bearer {token}", "X-Treadle": "1"}
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self._app, raise_app_exceptions=False),
            base_url=self._settings.api_url,
            headers={**headers, "Content-Type": "application/json"},
        )


def _detail(answer: httpx.Response) -> str:
    return str(answer.json().get("detail", ""))[:_REPORTED]
