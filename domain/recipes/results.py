"""What setting up a workspace gave."""

from domain.core.wire import Wire

TAIL_BYTES = 4096


class SetUpResult(Wire):
    """A set-up: the layer that it made or found, or why there is none.

    `output` is the tail of what its commands printed, `output_ref` names the rest in the journal.
    `changed` are files of the commit that the commands changed, which was undone; `left_out` are files
    that they made and that the repository does not ignore, which would look like somebody's work.
    """

    layer: str = ""
    is_made: bool = False
    failure: str = ""
    output: str = ""
    output_ref: str | None = None
    duration_ms: int = 0
    size_bytes: int = 0
    changed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
