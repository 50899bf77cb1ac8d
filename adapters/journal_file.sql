CREATE TABLE access_tokens (
    token_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    is_owner BOOLEAN NOT NULL,
    projects TEXT NOT NULL,
    groups TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    revoked_at TEXT,
    passkey_id TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (token_id),
    UNIQUE (hash)
);

CREATE INDEX ix_access_tokens_person ON access_tokens (person);

CREATE TABLE audit (
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    person TEXT NOT NULL,
    token_id TEXT NOT NULL,
    address TEXT NOT NULL,
    door TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    project TEXT NOT NULL,
    shown TEXT NOT NULL,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    "key" TEXT,
    previous TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (number),
    UNIQUE ("key")
);

CREATE INDEX ix_audit_at ON audit (at);

CREATE INDEX ix_audit_person ON audit (person);

CREATE TABLE charges (
    "key" TEXT NOT NULL,
    turn TEXT NOT NULL,
    owner TEXT NOT NULL,
    thread TEXT NOT NULL,
    root TEXT NOT NULL,
    task TEXT NOT NULL,
    project TEXT NOT NULL,
    month TEXT NOT NULL,
    at TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    work TEXT NOT NULL,
    state TEXT NOT NULL,
    entry TEXT DEFAULT '' NOT NULL,
    reserved BIGINT DEFAULT '0' NOT NULL,
    told BIGINT DEFAULT '0' NOT NULL,
    priced BIGINT DEFAULT '0' NOT NULL,
    included BIGINT DEFAULT '0' NOT NULL,
    included_turns INTEGER DEFAULT '0' NOT NULL,
    unknown INTEGER DEFAULT '0' NOT NULL,
    prices TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY ("key")
);

CREATE INDEX charges_like ON charges (agent, project, at);

CREATE INDEX charges_of_month ON charges (month, project);

CREATE INDEX ix_charges_root ON charges (root);

CREATE INDEX ix_charges_state ON charges (state);

CREATE INDEX ix_charges_task ON charges (task);

CREATE INDEX ix_charges_thread ON charges (thread);

CREATE INDEX ix_charges_turn ON charges (turn);

CREATE TABLE command_answers (
    "key" TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT,
    PRIMARY KEY ("key")
);

CREATE TABLE device_logins (
    hash TEXT NOT NULL,
    user_code TEXT NOT NULL,
    state TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (hash),
    UNIQUE (user_code)
);

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
    agent TEXT DEFAULT '' NOT NULL,
    branch_status TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (stream)
);

CREATE INDEX asking_tasks ON headlines (stream) WHERE kind IN ('task', 'session') AND waiting_for <> '';

CREATE INDEX ix_headlines_changed ON headlines (changed);

CREATE INDEX threads_listed ON headlines (is_archived, changed) WHERE kind = 'thread';

CREATE INDEX working ON headlines (stream) WHERE (kind = 'session' AND status = 'working') OR (kind = 'task' AND waiting_for = '' AND status IN ('planning', 'reviewing', 'working', 'verifying'));

CREATE TABLE hosts (
    host TEXT NOT NULL,
    facts TEXT NOT NULL,
    state TEXT NOT NULL,
    generation INTEGER NOT NULL,
    PRIMARY KEY (host)
);

CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person TEXT NOT NULL,
    UNIQUE (issuer, subject),
    UNIQUE (issuer, person)
);

CREATE TABLE invitations (
    invitation_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    details TEXT NOT NULL,
    attempt TEXT,
    PRIMARY KEY (invitation_id),
    UNIQUE (hash)
);

CREATE TABLE mentions (
    event_id TEXT NOT NULL,
    person TEXT NOT NULL,
    top TEXT NOT NULL,
    "by" TEXT NOT NULL,
    at TEXT NOT NULL,
    seen_at TEXT,
    PRIMARY KEY (event_id, person)
);

CREATE INDEX ix_mentions_top ON mentions (top);

CREATE INDEX ix_mentions_unseen ON mentions (person, seen_at);

CREATE TABLE meta (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE money_limits (
    "key" TEXT NOT NULL,
    millionths BIGINT,
    PRIMARY KEY ("key")
);

CREATE TABLE news_deliveries (
    delivery_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    "key" TEXT NOT NULL,
    item_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    doubts INTEGER NOT NULL,
    made_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    tried_at TEXT,
    holder TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (delivery_id)
);

CREATE UNIQUE INDEX ix_news_deliveries_key ON news_deliveries (channel, "key");

CREATE TABLE news_follower (
    name TEXT NOT NULL,
    holder TEXT NOT NULL,
    until TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE passages (
    position INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    stream TEXT NOT NULL,
    top TEXT NOT NULL,
    speaker TEXT NOT NULL,
    "by" TEXT NOT NULL,
    joined TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (position)
);

CREATE INDEX passages_of_stream ON passages (stream, upto);

CREATE TABLE passkey_challenges (
    hash TEXT NOT NULL,
    person TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (hash)
);

CREATE INDEX ix_passkey_challenges_person ON passkey_challenges (person);

CREATE TABLE passkeys (
    credential_id TEXT NOT NULL,
    passkey_id TEXT NOT NULL,
    person TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (credential_id),
    UNIQUE (passkey_id)
);

CREATE INDEX ix_passkeys_person ON passkeys (person);

CREATE TABLE people (
    person TEXT NOT NULL,
    groups TEXT NOT NULL,
    is_owner BOOLEAN NOT NULL,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (person)
);

CREATE TABLE person_invitations (
    invitation_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    person TEXT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (invitation_id),
    UNIQUE (hash)
);

CREATE INDEX ix_person_invitations_person ON person_invitations (person);

CREATE TABLE placements (
    stream TEXT NOT NULL,
    host TEXT NOT NULL,
    placed BIGINT DEFAULT '0' NOT NULL,
    generation INTEGER DEFAULT '0' NOT NULL,
    is_sent BOOLEAN DEFAULT 1 NOT NULL,
    labels TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (stream)
);

CREATE INDEX ix_placements_host ON placements (host);

CREATE TABLE push_subscriptions (
    subscription_id TEXT NOT NULL,
    person TEXT NOT NULL,
    browser TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    made_at TEXT NOT NULL,
    rules TEXT NOT NULL,
    PRIMARY KEY (subscription_id)
);

CREATE TABLE sign_ins (
    sign_in_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    person TEXT NOT NULL,
    checked_at TEXT NOT NULL,
    ended_at TEXT,
    details TEXT NOT NULL,
    PRIMARY KEY (sign_in_id),
    UNIQUE (hash)
);

CREATE INDEX ix_sign_ins_person ON sign_ins (person);

CREATE TABLE snoozes (
    person TEXT NOT NULL,
    item_id TEXT NOT NULL,
    version TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (person, item_id)
);

CREATE TABLE texts (
    ref TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (ref)
);

CREATE TABLE unindexed (
    "after" INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    PRIMARY KEY ("after")
);

CREATE TABLE webhook_deliveries (
    sender TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    about TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (sender, delivery_id)
);

CREATE INDEX ix_webhook_deliveries_at ON webhook_deliveries (sender, at);

CREATE INDEX ix_webhook_deliveries_digest ON webhook_deliveries (sender, digest);

CREATE TABLE webhook_refusals (
    sender TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (sender, reason)
);

CREATE TABLE workers (
    host TEXT NOT NULL,
    seen DATETIME NOT NULL,
    PRIMARY KEY (host)
);

CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5(words, tokenize = 'unicode61 remove_diacritics 0');

CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));

INSERT INTO alembic_version (version_num) VALUES ('02_0016');
