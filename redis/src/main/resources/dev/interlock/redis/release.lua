-- Ends a claim of a lock, whether it is held or only listed as waiting. wake.lua and pass.lua follow.
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
-- Mostly nobody waits. Then this is all: to make the functions of wake.lua would cost the server as much again.
local held = redis.call('hexists', KEYS[1], ARGV[1]) == 1
if held then
  redis.call('del', KEYS[1])
else
  redis.call('hdel', KEYS[2], ARGV[1])
end
if redis.call('exists', KEYS[2]) == 0 then
  if held and ARGV[2] then
    redis.pcall('publish', ARGV[2], '0')
  end
  return held and 1 or 0
end
