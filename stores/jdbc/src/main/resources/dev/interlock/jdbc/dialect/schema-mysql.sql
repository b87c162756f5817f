-- The last fence of all deleted names, and the version of the tables. One row.
CREATE TABLE IF NOT EXISTS {p}_fence (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  last BIGINT NOT NULL,
  version INTEGER NOT NULL
) ENGINE = InnoDB;

-- A name in use: the holder of a lock, or the waiter for which it is reserved; the capacity of a semaphore; the count
-- of a latch. Names are the bytes of UTF-8.
CREATE TABLE IF NOT EXISTS {p}_lock (
  name VARBINARY(512) NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  held INTEGER NOT NULL,
  mode CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  fence BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  listed_ms BIGINT NOT NULL,
  amount INTEGER NOT NULL,
  kept_ms BIGINT NOT NULL,
  host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  pid BIGINT NOT NULL,
  application VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  thread VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (name, kind)
) ENGINE = InnoDB;

-- Any other claim: a holder of a share or of permits (state H), a waiter (W, or T and O once woken), the mark of a
-- forced release (F), a client that has set a latch (S) or counted it down (C).
CREATE TABLE IF NOT EXISTS {p}_claim (
  name VARBINARY(512) NOT NULL,
  kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  owner VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  mode CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  permits INTEGER NOT NULL,
  fence BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  until_ms BIGINT NOT NULL,
  lease_ms BIGINT NOT NULL,
  arrival BIGINT NOT NULL,
  channel VARCHAR(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  host VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  pid BIGINT NOT NULL,
  application VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  thread VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (name, kind, owner)
) ENGINE = InnoDB;

INSERT IGNORE INTO {p}_fence (id, last, version) VALUES (1, 0, {version});
