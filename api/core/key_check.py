"""A check of this process's keys against those of the journal, before anything is served."""

from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.host import known_host
from adapters.journal import Keys, open_known_keys
from settings import Settings


async def check_keys(settings: Settings, *, is_loss_accepted: bool = False) -> None:
    """Check that this process has the same keys as all others on its journal.

    With `is_loss_accepted`, the keys of this host replace the known ones.

    Raises:
        KeyRingError: The key file is invalid.
        JournalError: The journal cannot be opened, or has other keys.
    """
    ring, codes = KeyRing(settings.payload_key_file), SecretFile(settings.code_key_file)
    async with open_known_keys(settings.journal) as known:
        if is_loss_accepted:
            await known.forget()
        keys = Keys(ring.every(), codes.read())
        await known.check(known_host(settings.data_dir), keys, settings.journal_id)
