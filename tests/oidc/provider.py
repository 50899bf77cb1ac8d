"""A real OpenID Connect provider (npm's `oidc-provider`) in a process of its own."""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.agents.installation import npm_command, packages
from tests.free_ports import free_ports

HERE = Path(__file__).parent
SECRET = "the-secret-of-the-test"
STARTED_SECONDS = 60
ANNA = {"email": "anna@example.org", "email_verified": True, "groups": ["backend"]}
FORM = re.compile(r'<form[^>]*action="([^"]+)"')


@dataclass
class Provider:
    """The provider, and what it knows of people."""

    issuer: str

    async def set_accounts(self, **accounts: object) -> None:
        """Replace the accounts, by their subjects."""
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            (await http.post(f"{self.issuer}/test/accounts", json=accounts)).raise_for_status()


@contextlib.asynccontextmanager
async def provider(public_url: str) -> AsyncGenerator[Provider]:
    """Run the provider for a server at a public URL."""
    (port,) = free_ports(1)
    modules = await asyncio.to_thread(packages, HERE)
    node, _ = await asyncio.to_thread(npm_command)
    process = await asyncio.create_subprocess_exec(
        *(node, HERE / "server.mjs", modules, str(port)),
        *(f"{public_url}/sign-in/oidc/callback", f"{public_url}/"),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(STARTED_SECONDS):
            while b"listening" not in await process.stdout.readline():
                assert process.returncode is None, "the provider ended"
        made = Provider(f"http://127.0.0.1:{port}")
        await made.set_accounts(anna=ANNA)
        yield made
    finally:
        process.kill()
        await process.wait()


async def pass_provider(browser: httpx.AsyncClient, page: httpx.Response, subject: str) -> str:
    """Fill in the provider's forms as a person does; return the address that it leads back to."""
    for _ in range(12):
        if page.is_redirect:
            target = page.headers["location"]
            if "/sign-in/oidc/callback" in target:
                return target
            page = await browser.get(str(page.next_request.url))
            continue
        form = FORM.search(page.text)
        assert form, page.text[:500]
        prompt = "login" if 'name="login"' in page.text else "consent"
        page = await browser.post(
            form[1], data={"prompt": prompt, "login": subject, "password": "x"}
        )
    raise AssertionError("the provider leads nowhere")
