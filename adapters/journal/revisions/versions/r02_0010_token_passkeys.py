"""Add the passkey of a token's session.

Revision ID: 02_0010
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0010"
down_revision = "02_0009"


def upgrade() -> None:
    """Add the column where it is not there yet; existing tokens have no passkey."""
    there = sa.inspect(op.get_bind()).get_columns("access_tokens")
    if not any(each["name"] == "passkey_id" for each in there):
        made_with = sa.Column("passkey_id", sa.Text, nullable=False, server_default="")
        op.add_column("access_tokens", made_with)
