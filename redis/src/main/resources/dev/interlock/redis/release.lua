-- Ends a claim of a lock, whether it is held or only listed as waiting. Follows wake.lua.
--
-- KEYS[1]  the lock
-- KEYS[2]  who waits for it
-- ARGV[1]  owner
-- ARGV[2]  channel on which Redisson clients wait; absent: none
--
-- Returns  1   it was held, and is released
--          0   it was not held
--          -1  it was held, and is released, but this user may not tell who waits
--
-- A claim that only waited may have been woken before it gave up. If the lock is free it passes the wake on, or the others would sleep beside it.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  redis.call('hdel', KEYS[2], ARGV[1])
  if redis.call('exists', KEYS[1]) == 0 then
    wakeFree(KEYS[2], KEYS[1], ARGV[1])
  end
  return 0
end
redis.call('del', KEYS[1])
local woken = wakeFree(KEYS[2], KEYS[1], ARGV[1])
if ARGV[2] then
  redis.pcall('publish', ARGV[2], '0')
end
return woken < 0 and -1 or 1
