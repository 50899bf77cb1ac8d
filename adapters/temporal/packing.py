"""How payloads are made small before they are sealed: JSON without its wrapping, by zstd with a dictionary.

Most payloads are a few hundred bytes of JSON with the same field names, which a general packer sees for the
first time in each. The dictionary knows them (tests/replay/dictionary.py makes it). The first byte of what was
packed says how; what begins otherwise was packed by an earlier version, with zlib.
"""

import threading
import zlib
from pathlib import Path

from google.protobuf.message import DecodeError
from temporalio.api.common.v1 import Payload
from zstandard import ZstdCompressionDict, ZstdCompressor, ZstdDecompressor, ZstdError

JSON = b"json/plain"
ZLIB = b"treadle/packed"
LEVEL = 6
PLAIN_JSON, PACKED_JSON, PLAIN, PACKED = range(4)
"""The first byte: a payload of JSON has its data alone, any other all of it."""

_DICTIONARY = ZstdCompressionDict(Path(__file__).with_name("payloads.dict").read_bytes())
_DICTIONARY.precompute_compress(level=LEVEL)  # pyright: ignore[reportUnknownMemberType]  (its stubs)


class UnreadableError(ValueError):
    """Bytes that no version of ours has packed."""


class _Coders(threading.local):
    """One of each for a thread: they are not made for several."""

    def __init__(self) -> None:
        self.compressor = ZstdCompressor(
            level=LEVEL, dict_data=_DICTIONARY, write_checksum=False, write_dict_id=False
        )
        self.decompressor = ZstdDecompressor(dict_data=_DICTIONARY)


_coders = _Coders()


def pack(payload: Payload) -> bytes:
    """Return a payload's bytes, packed where that makes them fewer."""
    is_json = dict(payload.metadata) == {"encoding": JSON}
    plain = payload.data if is_json else payload.SerializeToString()
    packed = _coders.compressor.compress(plain)
    if len(packed) < len(plain):
        return bytes([PACKED_JSON if is_json else PACKED]) + packed
    return bytes([PLAIN_JSON if is_json else PLAIN]) + plain


def unpack(data: bytes) -> Payload:
    """Return the payload whose bytes these are.

    Raises:
        UnreadableError: They are of no version of ours.
    """
    how = data[0] if data else None
    try:
        match how:
            case 0 | 1 | 2 | 3:
                is_packed = how in {PACKED_JSON, PACKED}
                rest = _coders.decompressor.decompress(data[1:]) if is_packed else data[1:]
                is_json = how in {PLAIN_JSON, PACKED_JSON}
                return _json(rest) if is_json else Payload.FromString(rest)
            case _:
                return _packed_by_zlib(data)
    except (ZstdError, DecodeError, zlib.error) as error:
        raise UnreadableError(str(error)) from error


def _json(data: bytes) -> Payload:
    return Payload(metadata={"encoding": JSON}, data=data)


def _packed_by_zlib(data: bytes) -> Payload:
    """Return a payload as versions until 2026-11-26 have packed it, the short ones not at all."""
    payload = Payload.FromString(data)
    if payload.metadata.get("encoding") != ZLIB:
        return payload
    return Payload.FromString(zlib.decompress(payload.data))
