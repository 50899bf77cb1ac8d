"""Processes on one journal have the same keys, or say what differs and do not start."""

import pytest

from adapters.journal import open_known_keys
from adapters.key_fingerprints import ForeignKeysError, Keys

OLD, NEW, CODES, OTHER = (letter * 32 for letter in (b"o", b"n", b"c", b"x"))
FIRST = Keys({"k1": OLD}, CODES)


@pytest.fixture
async def known(url):
    """A journal that one host with one key of each kind has been on."""
    async with open_known_keys(url) as found:
        await found.check("host-a", FIRST)
        yield found


async def test_a_host_with_the_same_keys_is_taken(known):
    await known.check("host-b", FIRST)
    await known.check("", FIRST)
    assert await known.is_known("k1")


@pytest.mark.parametrize(
    ("keys", "file"),
    [
        (Keys({"k9": OTHER}, CODES), "payload.keys"),
        (Keys({"k1": OTHER}, CODES), "payload.keys"),
        (Keys({"k1": OLD}, OTHER), "decision.key"),
        (Keys({"k9": OTHER}, OTHER), "payload.keys and decision.key"),
    ],
    ids=["another key", "another key of that id", "another code key", "both"],
)
async def test_a_host_with_other_keys_is_refused_and_changes_nothing(known, keys, file):
    with pytest.raises(ForeignKeysError, match=f": {file} differs") as caught:
        await known.check("host-b", keys)
    assert "copy" in caught.value.message
    await known.check("host-c", FIRST)
    assert not await known.is_known("k9")


async def test_a_sealing_key_that_is_added_is_known_and_then_wanted_of_all(known):
    await known.check("host-a", Keys({"k1": OLD, "k2": NEW}, CODES))
    assert await known.is_known("k2")
    with pytest.raises(ForeignKeysError, match=r"payload\.keys differs"):
        await known.check("host-b", FIRST)
    await known.check("host-b", Keys({"k2": NEW}, CODES))


async def test_the_only_host_of_a_journal_may_make_a_new_code_key(known):
    await known.check("host-a", Keys({"k1": OLD}, OTHER))
    with pytest.raises(ForeignKeysError, match=r"decision\.key differs"):
        await known.check("host-b", FIRST)


async def test_keys_whose_loss_is_accepted_are_forgotten(known):
    await known.forget()
    await known.check("host-b", Keys({"k9": OTHER}, OTHER))
    assert not await known.is_known("k1")
