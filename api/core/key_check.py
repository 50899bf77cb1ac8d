"""The keys of this process against those that the journal knows, before anything is served."""

from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.host import known_host
from adapters.journal import Keys, open_known_keys
from settings import Settings


async def check_keys(settings: Settings, *, is_loss_accepted: bool = False) -> None:
    """Do nothing while this process has the keys of all others on its journal.

    With `is_loss_accepted` those of this host count from now on.

    Raises:
        KeyRingError: The file of keys is not as it should be.
        JournalError: The journal cannot be opened, or knows other keys.
    """
    ring, codes = KeyRing(settings.payload_key_file), SecretFile(settings.code_key_file)
    async with open_known_keys(settings.journal) as known:
        if is_loss_accepted:
            await known.forget()
        await known.check(known_host(settings.data_dir), Keys(ring.every(), codes.read()))
