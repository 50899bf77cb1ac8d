"""People as they were last seen, and their access tokens.

Revision ID: 02_0002
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0002"
down_revision = "02_0001"


_METADATA = sa.MetaData()

sa.Table(
    "people",
    _METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("groups", sa.Text, nullable=False),
    sa.Column("is_owner", sa.Boolean, nullable=False),
    sa.Column("seen_at", sa.Text, nullable=False),
)
sa.Table(
    "access_tokens",
    _METADATA,
    sa.Column("token_id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("is_owner", sa.Boolean, nullable=False),
    sa.Column("projects", sa.Text, nullable=False),
    sa.Column("groups", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("expires_at", sa.Text, nullable=False),
    sa.Column("used_at", sa.Text),
    sa.Column("revoked_at", sa.Text),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
