"""A client of the engine's Temporal."""

from temporalio.client import Client
from temporalio.envconfig import ClientConfig

from settings import Settings
from treadle.engine import temporal_address


async def connected(settings: Settings) -> Client | None:
    """Return a client of the engine's Temporal, or None while nothing answers there."""
    config = ClientConfig.load_client_connect_config()
    config.setdefault("target_host", temporal_address(settings))
    try:
        return await Client.connect(**config)
    except RuntimeError:  # what the SDK raises where nothing listens
        return None
