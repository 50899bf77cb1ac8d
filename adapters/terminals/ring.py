"""The newest output of a terminal, by positions that count all there was."""

KEPT_BYTES = 256 << 10
_CONTINUES, _FIRST_BITS = 0x80, 0xC0
"""How a byte begins that goes on with a character of UTF-8."""


class Ring:
    """Keeps the newest bytes of an output; positions count from its very first byte."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._limit = kept_bytes
        self._kept = bytearray()
        self.end = 0

    @property
    def start(self) -> int:
        """The position of the oldest byte that is kept."""
        return self.end - len(self._kept)

    def add(self, text: str) -> None:
        """Take the next output in."""
        piece = text.encode("utf-8", "replace")
        self.end += len(piece)
        self._kept += piece
        del self._kept[: max(0, len(self._kept) - self._limit)]

    def since(self, position: int, limit_bytes: int = 0) -> tuple[str, int]:
        """Return the output from a position on, and how many bytes before it are missing.

        With a limit it is the newest so many bytes; a character is never cut in two.
        """
        first = min(max(position, self.start), self.end)
        if limit_bytes:
            first = max(first, self.end - limit_bytes)
        piece = bytes(self._kept[first - self.start :])
        broken = 0
        while broken < len(piece) and piece[broken] & _FIRST_BITS == _CONTINUES:
            broken += 1
        return piece[broken:].decode("utf-8", "replace"), first + broken - min(position, self.end)
