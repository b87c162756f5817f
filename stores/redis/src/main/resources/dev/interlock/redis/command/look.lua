-- Reads the holders of a read/write lock or semaphore and the waiting claims, at one instant. Changes nothing.
-- Follows readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  not used
-- KEYS[3]  the waiting claims
-- KEYS[4]  read/write: the lock
-- ARGV[1]  read/write: the prefix of the keys of shares
--
-- Returns  a flat list: the server's time in µs; the capacity, 0 if none is known; the number of holders; for each
--          its owner, mode, party, fence, since and until, both in µs, each cut to what is shown to people; the
--          elements of the waiters' hash, field and value in turn
prefix = ARGV[1] or ''
local now = micros()
local state = load(now)
if state.err then
  return state
end
-- A key of another type hides the waiting claims alone.
local entries = isTooLarge(KEYS[3]) and {} or redis.pcall('hgetall', KEYS[3])
-- A capacity that is no longer used counts as forgotten, even if it is still stored.
know(state, entries, nil, now)
local result = { string.format('%.0f', now), string.format('%.0f', state.capacity or 0), #state.held }
for _, entry in ipairs(state.held) do
  for _, part in ipairs({ entry.owner, entry.mode, entry.party, entry.fence, entry.since, entry.ends }) do
    result[#result + 1] = type(part) == 'number' and string.format('%.0f', part) or string.sub(part, 1, LONGEST_ENTRY)
  end
end
for i = 1, #entries, 2 do
  if #entries[i] + #entries[i + 1] <= LONGEST_ENTRY then
    result[#result + 1] = entries[i]
    result[#result + 1] = entries[i + 1]
  end
end
return result
