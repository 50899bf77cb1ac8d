"""The proxy of sandboxes behind the user's own."""

import asyncio

import pytest

from adapters.egress.dialing import Dialing, UnreachableError, upstream_of


async def test_the_users_own_proxy_is_gone_through():
    heads = []

    async def serve(reader, writer):
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        is_known = "good.example" in heads[-1]
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nhi" if is_known else b"HTTP/1.1 403 No\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = f"http://me:pass%21@127.0.0.1:{port}"
        dialing = Dialing(upstream_of({"https_proxy": url, "NO_PROXY": "corp.example"}))

        reader, writer = await dialing.dial("good.example", 443, may_be_private=False)
        assert await reader.read() == b"hi"
        writer.close()
        with pytest.raises(UnreachableError, match="403"):
            await dialing.dial("bad.example", 443, may_be_private=False)

    assert "Proxy-Authorization: Basic bWU6cGFzcyE=" in heads[0]
    assert upstream_of({"HTTPS_PROXY": ""}) is None
