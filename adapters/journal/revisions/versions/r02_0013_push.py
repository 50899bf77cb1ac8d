"""Browsers that news are pushed to.

Revision ID: 02_0013
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0013"
down_revision = "02_0012"

_METADATA = sa.MetaData()

sa.Table(
    "push_subscriptions",
    _METADATA,
    sa.Column("subscription_id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("browser", sa.Text, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),
    sa.Column("p256dh", sa.Text, nullable=False),
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("made_at", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
