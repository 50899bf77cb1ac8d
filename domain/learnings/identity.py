"""Which learnings are the same, and which repository they are of."""

import hashlib

from domain.core.ids import StreamId, slug
from domain.core.remote_repositories import pinned
from domain.core.words import folded_words

STREAMS = "learnings-"
"""What the streams of learnings begin with."""


def learning_id(text: str) -> str:
    """Return the id of a learning: texts that differ in case, accents, spaces or punctuation have the same."""
    words = " ".join(folded_words(text)) or text.strip()
    return f"l-{hashlib.sha256(words.encode()).hexdigest()[:10]}"


def repository_of(project: str) -> str:
    """Return what a repository is called for all its threads: its folder, or its URL without the commit."""
    remote = pinned(project)
    return remote.url if remote else project


def learnings_stream(repository: str) -> StreamId:
    """Return the journal stream of a repository's learnings."""
    digest = hashlib.sha256(repository.encode()).hexdigest()[:12]
    return StreamId(f"{STREAMS}{slug(repository.rstrip('/').rpartition('/')[2])}-{digest}")
