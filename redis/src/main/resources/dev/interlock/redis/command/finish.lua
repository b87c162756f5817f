-- Ends a claim of a read/write lock or a semaphore, whether it is held or only listed as waiting. Follows
-- readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the mark of a release by force
-- KEYS[3]  the waiting claims
-- KEYS[4]  read/write: the lock
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  life of the mark, in ms, for a release by force; '' for one by the owner
-- ARGV[4]  read/write: the prefix of the keys of shares
-- ARGV[5]  read/write: channel on which Redisson clients wait; '': none
--
-- Returns  as release.lua
--
-- A claim that only waited may have been woken, or have blocked others, so these are woken as well.
prefix = ARGV[4] or ''
local now = micros()
local state = load(now)
if state.err then
  return 0
end
local living = line(KEYS[3], now, ARGV[2])
local ended = drop(state, ARGV[2], ARGV[3] ~= '')
if ended and ARGV[3] ~= '' then
  redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[3])
end
save(state, now)
local told = wake(KEYS[3], KIND, ARGV[1], living, count(state))
announce(ARGV[5] or '', ended, state)
if not ended then
  return 0
end
return told < 0 and -1 or 1
