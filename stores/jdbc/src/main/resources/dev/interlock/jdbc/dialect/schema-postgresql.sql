-- The last fence of all deleted names, and the version of the tables. One row.
CREATE TABLE IF NOT EXISTS {p}_fence (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last BIGINT NOT NULL,
  version INTEGER NOT NULL
);

-- A name in use: the holder of a lock; the capacity of a semaphore; the count of a latch. Names are the bytes of UTF-8.
-- Each page has free space, because the rows change often.
CREATE TABLE IF NOT EXISTS {p}_lock (
  name BYTEA NOT NULL,
  kind VARCHAR(16) NOT NULL,
  owner VARCHAR(255) NOT NULL,
  held INTEGER NOT NULL,
  mode CHAR(1) NOT NULL,
  fence BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  listed_ms BIGINT NOT NULL,
  amount INTEGER NOT NULL,
  kept_ms BIGINT NOT NULL,
  host VARCHAR(255) NOT NULL,
  pid BIGINT NOT NULL,
  application VARCHAR(255) NOT NULL,
  thread VARCHAR(255) NOT NULL,
  PRIMARY KEY (name, kind)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Any other claim: a holder of a share or of permits (state H), a waiter (W, or T and O once woken), the mark of a
-- forced release (F), a client that has set a latch (S) or counted it down (C).
CREATE TABLE IF NOT EXISTS {p}_claim (
  name BYTEA NOT NULL,
  kind VARCHAR(16) NOT NULL,
  owner VARCHAR(255) NOT NULL,
  state CHAR(1) NOT NULL,
  mode CHAR(1) NOT NULL,
  permits INTEGER NOT NULL,
  fence BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  arrival BIGINT NOT NULL,
  channel VARCHAR(63) NOT NULL,
  host VARCHAR(255) NOT NULL,
  pid BIGINT NOT NULL,
  application VARCHAR(255) NOT NULL,
  thread VARCHAR(255) NOT NULL,
  PRIMARY KEY (name, kind, owner)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

INSERT INTO {p}_fence (id, last, version) VALUES (1, 0, {version}) ON CONFLICT DO NOTHING;
