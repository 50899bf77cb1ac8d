"""How the API reaches Temporal."""

from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.envconfig import ClientConfig

from api.door import Connect
from settings import Settings


def connector(settings: Settings) -> Connect:
    """Return what connects to the Temporal of these settings."""

    async def connect() -> Client:
        config = ClientConfig.load_client_connect_config()
        config.setdefault("target_host", f"127.0.0.1:{settings.temporal_port}")
        return await Client.connect(**config, data_converter=pydantic_data_converter)

    return connect
