"""The cluster that Treadle works on, read without Temporal's SDK where none is configured."""

from typing import NamedTuple

from address import is_temporal_configured


class Cluster(NamedTuple):
    """The cluster to work on; one without an address is the embedded server."""

    address: str | None
    namespace: str


def configured_cluster() -> Cluster:
    """Return the cluster that TEMPORAL_* or a profile names."""
    if not is_temporal_configured():
        return Cluster(None, "default")
    from temporalio.envconfig import ClientConfigProfile

    profile = ClientConfigProfile.load()
    return Cluster(profile.address, profile.namespace or "default")
