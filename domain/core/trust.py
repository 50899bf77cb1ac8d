"""What of a repository's git metadata a person trusts, and what changed since."""

from domain.core.wire import Wire


class MetadataChange(Wire):
    """One thing in git's metadata that is not as it was trusted; `now` is None where it is gone."""

    name: str
    now: str | None = None


class MetadataChanges(Wire):
    """What a refused repository has now; `content_hash` is what a person accepts by."""

    repository: str
    changes: tuple[MetadataChange, ...]
    content_hash: str
