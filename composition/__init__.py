"""What a worker is put together from: settings, adapters and what follows the journal beside it."""
