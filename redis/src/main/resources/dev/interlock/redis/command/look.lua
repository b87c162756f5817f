-- Who holds a read/write lock or permits of a semaphore, and who waits, at one instant. Changes nothing. Follows readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  not used
-- KEYS[3]  who waits
-- KEYS[4]  read/write: the lock
-- ARGV[1]  read/write: what the keys of shares begin with
--
-- Returns  a flat list: the server's time in µs; the capacity, 0 if none is known; the number of holders; for each its owner, mode, party, fence, since and
--          until, both in µs; the elements of the waiters' hash, field and value in turn
prefix = ARGV[1] or ''
local now = micros()
local state = load(now)
if state.err then
  return state
end
-- Something else there hides nothing but those who wait.
local entries = redis.pcall('hgetall', KEYS[3])
-- What nobody uses any more is forgotten, though it may still stand there.
know(state, entries, nil, now)
local result = { string.format('%.0f', now), string.format('%.0f', state.capacity or 0), #state.held }
for _, entry in ipairs(state.held) do
  for _, part in ipairs({ entry.owner, entry.mode, entry.party, entry.fence, entry.since, entry.ends }) do
    result[#result + 1] = type(part) == 'number' and string.format('%.0f', part) or part
  end
end
for _, element in ipairs(entries) do
  result[#result + 1] = element
end
return result
