-- Ends a claim of a lock, whether it is held or only listed as waiting. wake.lua and pass.lua follow.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
-- KEYS[3]  its last fence; absent: grant the lock to no waiting claim
-- ARGV[1]  owner
-- ARGV[2]  with KEYS[3]: life of the fence, in ms; else the channel on which Redisson clients wait; absent: none
--
-- Returns  1   it was held, and is released
--          0   it was not held
--          -1  it was held, and is released, but this user may not publish the wake
--
-- Mostly no claim waits, and the script ends here: to define the functions of wake.lua would double its cost.
local held = redis.call('hexists', KEYS[1], ARGV[1]) == 1
if held then
  redis.call('del', KEYS[1])
else
  redis.call('hdel', KEYS[2], ARGV[1])
end
local channel = not KEYS[3] and ARGV[2]
if redis.call('exists', KEYS[2]) == 0 then
  if held and channel then
    redis.pcall('publish', channel, '0')
  end
  return held and 1 or 0
end
