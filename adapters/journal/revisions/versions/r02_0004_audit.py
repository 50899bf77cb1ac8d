"""The audit log.

Revision ID: 02_0004
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0004"
down_revision = "02_0003"


_METADATA = sa.MetaData()

sa.Table(
    "audit",
    _METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False, index=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("token_id", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("door", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("shown", sa.Text, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("key", sa.Text, unique=True),
    sa.Column("previous", sa.Text, nullable=False),
    sa.Column("digest", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
