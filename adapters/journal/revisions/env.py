"""Alembic's environment: the revisions run in the transaction of the connection that they are given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
