CREATE TABLE events (
    position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    stream TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER,
    UNIQUE (id)
);

CREATE INDEX events_of_stream ON events (stream, position);

CREATE TABLE headlines (
    stream TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    project TEXT NOT NULL,
    status TEXT NOT NULL,
    waiting_for TEXT NOT NULL,
    changed INTEGER NOT NULL,
    changed_at TEXT,
    is_archived BOOLEAN DEFAULT 0 NOT NULL,
    words TEXT DEFAULT '' NOT NULL,
    done INTEGER DEFAULT '0' NOT NULL,
    total INTEGER DEFAULT '0' NOT NULL,
    insertions INTEGER DEFAULT '0' NOT NULL,
    deletions INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (stream)
);

CREATE INDEX ix_headlines_changed ON headlines (changed);

CREATE INDEX working ON headlines (stream) WHERE (kind = 'session' AND status = 'working') OR (kind = 'task' AND waiting_for = '' AND status IN ('planning', 'reviewing', 'working', 'verifying'));

CREATE INDEX asking_tasks ON headlines (stream) WHERE kind IN ('task', 'session') AND waiting_for <> '';

CREATE INDEX threads_listed ON headlines (is_archived, changed) WHERE kind = 'thread';

CREATE TABLE texts (
    ref TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (ref)
);
