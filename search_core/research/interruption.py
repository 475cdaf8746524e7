"""How a workflow leaves a database that fails: as it stands, to be taken up again from its last finished step."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import SQLAlchemyError

from search_core.errors import StorageError

DATABASE_FAULTS = (StorageError, SQLAlchemyError, sqlite3.Error)
"""What our store and DBOS raise when the database cannot be read or written."""


class WorkflowAbandoned(BaseException):
    """Leaves a workflow unfinished for ``Takeover``; DBOS records an outcome for every Exception, and for this none."""
