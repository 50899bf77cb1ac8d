"""Mentions of people in threads, and who has seen them.

Revision ID: 02_0009
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0009"
down_revision = "02_0008"

_METADATA = sa.MetaData()

sa.Table(
    "mentions",
    _METADATA,
    sa.Column("event_id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("top", sa.Text, nullable=False, index=True),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("seen_at", sa.Text),
)
sa.Index(
    "ix_mentions_unseen",
    _METADATA.tables["mentions"].c.person,
    _METADATA.tables["mentions"].c.seen_at,
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
