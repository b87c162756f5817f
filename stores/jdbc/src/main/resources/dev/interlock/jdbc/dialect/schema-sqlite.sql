-- The last fence of all deleted names, and the version of the tables. One row.
CREATE TABLE IF NOT EXISTS {p}_fence (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT;

-- A name in use: the holder of a lock, or the waiter for which it is reserved; the capacity of a semaphore; the count
-- of a latch.
CREATE TABLE IF NOT EXISTS {p}_lock (
  name TEXT NOT NULL COLLATE BINARY,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  held INTEGER NOT NULL,
  mode TEXT NOT NULL,
  fence INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  lease_ms INTEGER NOT NULL,
  listed_ms INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  kept_ms INTEGER NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  application TEXT NOT NULL,
  thread TEXT NOT NULL,
  PRIMARY KEY (name, kind)
) STRICT, WITHOUT ROWID;

-- Any other claim: a holder of a share or of permits (state H), a waiter (W, or T and O once woken), the mark of a
-- forced release (F), a client that has set a latch (S) or counted it down (C).
CREATE TABLE IF NOT EXISTS {p}_claim (
  name TEXT NOT NULL COLLATE BINARY,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  mode TEXT NOT NULL,
  permits INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL,
  lease_ms INTEGER NOT NULL,
  arrival INTEGER NOT NULL,
  channel TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  application TEXT NOT NULL,
  thread TEXT NOT NULL,
  PRIMARY KEY (name, kind, owner)
) STRICT, WITHOUT ROWID;

-- Keeps the fence of a name whose row is deleted, by whomever: a later grant of the same name is above it. A fence that
-- no client gives is not kept, because all names would have to be above it, and soon none could.
CREATE TRIGGER IF NOT EXISTS {p}_lock_gone AFTER DELETE ON {p}_lock BEGIN
  UPDATE {p}_fence SET last = max(last, OLD.fence) WHERE OLD.fence < 8500000000000000;
END;

-- The holder of a lock does not wait any more. A renewal does not change the owner, and so does not fire this trigger.
CREATE TRIGGER IF NOT EXISTS {p}_lock_taken AFTER UPDATE OF owner ON {p}_lock WHEN NEW.held BEGIN
  DELETE FROM {p}_claim WHERE name = NEW.name AND kind = NEW.kind AND owner = NEW.owner AND state IN ('W', 'T', 'O');
END;

INSERT OR IGNORE INTO {p}_fence (id, last, version) VALUES (1, 0, {version});
