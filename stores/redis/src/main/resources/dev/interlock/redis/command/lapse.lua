-- Leaves a lock to lapse: another owner, whom nobody renews, takes the place of the claim. Follows wake.lua.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
-- KEYS[3]  its last fence
-- ARGV[1]  owner
-- ARGV[2]  owner of the claim that stays
-- ARGV[3]  how long it stays, in ms
-- ARGV[4]  life of the fence, in ms
-- ARGV[5]  channel on which Redisson clients wait; absent: none
--
-- Returns  as release.lua; 1 also if the claim was left before
--
-- With another owner, a renewal or a release that is still on its way changes nothing any more. If the lock lapses
-- earlier than the claim would have ended, the next claim is woken, so that it learns when to ask.
local lock, waiters = KEYS[1], KEYS[2]
if redis.call('hexists', lock, ARGV[2]) == 1 then
  return 1
end
if redis.call('hexists', lock, ARGV[1]) == 0 then
  unlist(waiters, ARGV[1])
  if redis.call('exists', lock) == 0 then
    wakeFree(waiters, lock, ARGV[1])
  end
  return 0
end
local before = redis.call('pttl', lock)
redis.call('hset', lock, ARGV[2], '1')
redis.call('hdel', lock, ARGV[1])
redis.call('pexpire', lock, ARGV[3])
local fenceLife = redis.call('pttl', KEYS[3])
if fenceLife >= 0 and fenceLife < tonumber(ARGV[4]) then
  redis.call('pexpire', KEYS[3], ARGV[4])
end
if before >= 0 and before <= tonumber(ARGV[3]) then
  return 1
end
local woken = wakeFree(waiters, lock, ARGV[1])
if ARGV[5] then
  redis.pcall('publish', ARGV[5], '0')
end
return woken < 0 and -1 or 1
