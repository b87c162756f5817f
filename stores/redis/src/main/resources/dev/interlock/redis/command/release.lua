-- Ends a claim of a lock, whether it is held or only listed as waiting. wake.lua and pass.lua follow.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
-- KEYS[3]  its last fence; absent: grant the lock to no waiting claim
-- ARGV[1]  owner
-- ARGV[2]  with KEYS[3]: life of the fence, in ms; else the channel on which Redisson clients wait; absent or '': none
-- ARGV[3], ARGV[4]  instead of KEYS[2] and KEYS[3], while the slot is moving: the server refuses a script if not all of
--          KEYS are there, and the lock alone has to be
--
-- Returns  1   it was held, and is released
--          0   it was not held
--          -1  it was held, and is released, but this user may not publish the wake
--
-- Mostly no claim waits, and the script ends here: to define the functions of wake.lua would double its cost. That the
-- other keys are damaged, or on another server, makes no difference to the release.
local waiters, fences = KEYS[2] or ARGV[3], KEYS[3] or ARGV[4]
local held = redis.call('hexists', KEYS[1], ARGV[1]) == 1
if held then
  redis.call('del', KEYS[1])
else
  local removed = redis.pcall('hdel', waiters, ARGV[1])
  if type(removed) == 'table' and not string.find(removed.err, 'WRONGTYPE', 1, true)
      and not string.find(removed.err, 'non local key', 1, true) then
    redis.call('hdel', waiters, ARGV[1])
  end
end
local channel = not fences and ARGV[2] ~= '' and ARGV[2]
local listed = redis.pcall('exists', waiters)
if type(listed) == 'table' and not string.find(listed.err, 'non local key', 1, true) then
  listed = redis.call('exists', waiters)
end
if listed ~= 1 then
  if held and channel then
    redis.pcall('publish', channel, '0')
  end
  return held and 1 or 0
end
