-- Acquires a fair lock: claims are granted in the order of arrival. wake.lua and fair.lua follow.
--
-- KEYS[1]  the lock
-- KEYS[2]  its last fence
-- KEYS[3]  the waiting claims
-- ARGV[1]  owner
-- ARGV[2]  lease, in ms
-- ARGV[3]  life of the fence, in ms
-- ARGV[4]  party: host, pid, application, thread; without line breaks
-- ARGV[5]  how long the claim has waited, in µs; '': do not list it
-- ARGV[6]  life of a waiting claim's entry, in ms; the claim asks again after a quarter of it
-- ARGV[7]  owner of an earlier claim of the same client, which ends first; '': none
-- ARGV[8]  channel on which Redisson clients wait; '': none
-- ARGV[9]  the end of the waiting claim's entry, see wake.lua: ' @<n>' if the client's inbox is a sharded channel,
--          else ''
-- ARGV[10] its mode, 'f' with or without a lease, see wake.lua
--
-- Returns  as acquire.lua
--
-- The hash is that of a plain lock, so that both exclude each other; 'f' behind the party marks a fair claim. A claim
-- that a release has granted already, as in every hand-over, ends here: it needs none of the functions of wake.lua.
local lock, waiters, owner = KEYS[1], KEYS[3], ARGV[1]

-- Removes an entry of a waiting claim. A key of another type has none.
local function forget(ofOwner)
  local removed = redis.pcall('hdel', waiters, ofOwner)
  if type(removed) == 'table' and not string.find(removed.err, 'WRONGTYPE', 1, true) then
    redis.call('hdel', waiters, ofOwner)
  end
end

local ended = false
if ARGV[7] ~= '' then
  forget(ARGV[7])
  ended = redis.call('hexists', lock, ARGV[7]) == 1
  if ended then
    redis.call('del', lock)
  end
end
if redis.call('hexists', lock, owner) == 1 then
  -- The same claim again, after a lost reply or a grant by a release: the same grant, with a lease from now.
  local mark = redis.call('hget', lock, 'interlock')
  local fence = mark and tonumber(string.match(mark, '^%d+'))
  if fence then
    redis.call('pexpire', lock, ARGV[2])
    redis.call('pexpire', KEYS[2], ARGV[3])
    forget(owner)
    return fence
  end
end
