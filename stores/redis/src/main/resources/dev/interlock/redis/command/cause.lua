-- Finds out why a claim of a read/write lock or a semaphore could not be renewed. Follows readwrite.lua or
-- semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the mark of a release by force
-- KEYS[3]  the waiting claims
-- KEYS[4]  read/write: the lock
-- ARGV[1]  owner
-- ARGV[2]  mode, see wake.lua
-- ARGV[3]  semaphore: its capacity, if none is stored; read/write: the prefix of the keys of shares
--
-- Returns  a letter, as lost.lua
prefix = ARGV[3]
local now = micros()
local state = load(now)
if state.err then
  return 'T'
end
know(state, {}, ARGV[3], now)
-- An entry in the hash of Redisson alone cannot be renewed.
local mine = without(state.held, ARGV[1])
if mine and not mine.stranger then
  return 'H'
elseif redis.call('exists', KEYS[2]) == 1 then
  return 'F'
end
return fits(ARGV[2], count(state)) and 'D' or 'T'
