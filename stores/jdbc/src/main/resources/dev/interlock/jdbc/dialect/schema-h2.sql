-- The last fence of all deleted names, and the version of the tables. One row.
CREATE TABLE IF NOT EXISTS {p}_fence (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last BIGINT NOT NULL,
  version INTEGER NOT NULL
);

-- A name in use: the holder of a lock, or the waiter for which it is reserved; the capacity of a semaphore; the count
-- of a latch. Names are the bytes of UTF-8.
CREATE TABLE IF NOT EXISTS {p}_lock (
  name VARBINARY(512) NOT NULL,
  kind VARCHAR(16) NOT NULL,
  owner VARCHAR(255) NOT NULL,
  held INTEGER NOT NULL,
  mode VARCHAR(1) NOT NULL,
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
);

-- Any other claim: a holder of a share or of permits (state H), a waiter (W, or T and O once woken), the mark of a
-- forced release (F), a client that has set a latch (S) or counted it down (C).
CREATE TABLE IF NOT EXISTS {p}_claim (
  name VARBINARY(512) NOT NULL,
  kind VARCHAR(16) NOT NULL,
  owner VARCHAR(255) NOT NULL,
  state VARCHAR(1) NOT NULL,
  mode VARCHAR(1) NOT NULL,
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
);

MERGE INTO {p}_fence f USING (VALUES (1)) v (id) ON f.id = v.id WHEN NOT MATCHED THEN INSERT VALUES (1, 0, {version});
