"""What was sent of the news, and which worker sends them.

Revision ID: 02_0011
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0011"
down_revision = "02_0010"

_METADATA = sa.MetaData()

sa.Table(
    "news_deliveries",
    _METADATA,
    sa.Column("delivery_id", sa.Text, primary_key=True),
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("item_id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("doubts", sa.Integer, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("due_at", sa.Text, nullable=False),
    sa.Column("tried_at", sa.Text),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Index("ix_news_deliveries_key", "channel", "key", unique=True),
)
sa.Table(
    "news_follower",
    _METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("until", sa.Text, nullable=False),
    sa.Column("position", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
