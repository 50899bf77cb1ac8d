"""Speaks the built-in agent's JSON-RPC in a process of its own; `wait` is a prompt that never ends."""

import asyncio
import sys
from pathlib import Path

AGENT = Path(__file__).resolve().parents[2] / "adapters" / "builtin_agent"


async def main() -> None:
    """Serve one client."""
    sys.path.insert(0, str(AGENT))
    from treadle_agent.rpc import Peer

    peer, waits = Peer(), []

    async def wait(_params):
        waits.append(asyncio.get_running_loop().create_future())
        return {"stopReason": await waits[-1]}

    async def ping(_params):
        return {}

    async def ask(_params):
        return {"answer": await peer.request("question", {})}

    def cancel(_params):
        for waiting in waits:
            waiting.set_result("cancelled")

    peer.request_handlers = {"wait": wait, "ping": ping, "ask": ask}
    peer.notification_handlers = {"cancel": cancel}
    await peer.run()


if __name__ == "__main__":
    asyncio.run(main())
