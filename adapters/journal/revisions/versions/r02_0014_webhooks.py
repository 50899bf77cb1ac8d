"""Deliveries of webhooks, and how many were refused.

Revision ID: 02_0014
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0014"
down_revision = "02_0013"

_METADATA = sa.MetaData()

sa.Table(
    "webhook_deliveries",
    _METADATA,
    sa.Column("sender", sa.Text, primary_key=True),
    sa.Column("delivery_id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Index("ix_webhook_deliveries_digest", "sender", "digest"),
    sa.Index("ix_webhook_deliveries_at", "sender", "at"),
)
sa.Table(
    "webhook_refusals",
    _METADATA,
    sa.Column("sender", sa.Text, primary_key=True),
    sa.Column("reason", sa.Text, primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("last_at", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
