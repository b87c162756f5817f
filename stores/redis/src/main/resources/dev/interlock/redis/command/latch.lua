-- Sets the count of a latch, counts it down, waits for zero, or stops waiting. Follows wake.lua.
--
-- KEYS[1]  the latch: 'count'; 'setter', the owner that has set it; and the owners that have counted down, until it
--          is zero
-- KEYS[2]  the last fence of the name
-- KEYS[3]  the waiting claims
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  set, count, await or leave
-- ARGV[4]  set: the new count
-- ARGV[5]  how long an unused latch is kept, in ms
-- ARGV[6]  life of the fence of a latch that is not kept, in ms
-- ARGV[7]  party: host, pid, application, thread; without line breaks
-- ARGV[8]  how long the claim has waited, in µs; '': do not list it
-- ARGV[9]  life of a waiting claim's entry, in ms; the claim asks again after a quarter of it
-- ARGV[10] the end of that entry, see wake.lua: ' @<n>' if the client's inbox is a sharded channel, else ''
--
-- Returns  n > 0  granted, with the fence n
--          n < 0  busy; ask again in -n ms
--          0      stopped waiting
--
-- The owners that have set it and counted down are kept, so that a request that is repeated after a lost reply does
-- nothing.
local latch, waiters, owner, verb = KEYS[1], KEYS[3], ARGV[2], ARGV[3]
local now = micros()
-- As in count.lua: any program may have written it.
local count = math.min(tonumber(string.match(redis.call('hget', latch, 'count') or '', '^%d+$')) or 0, 2147483647)
local setter = redis.call('hget', latch, 'setter')
local living = line(waiters, now, verb == 'leave' and owner or nil)

local granted = count == 0 or verb == 'count' or verb == 'set' and setter == owner
local life = redis.call('pttl', latch)
local fence
if verb ~= 'leave' and granted then
  -- The fence lives as long as the latch, since a listing finds names by their fences.
  local lasts = (verb == 'set' or life ~= -2) and math.max(life, tonumber(ARGV[5])) or 0
  fence = nextFence(KEYS[2], now, math.max(tonumber(ARGV[6]), lasts))
  if not fence then
    return noFence()
  end
end
if verb == 'set' then
  if setter ~= owner and granted then
    count = tonumber(ARGV[4])
    redis.call('del', latch)
    redis.call('hset', latch, 'count', ARGV[4], 'setter', owner)
    live(latch, ARGV[5], 'count', 'setter')
  end
elseif verb == 'count' then
  if count > 0 and redis.call('hset', latch, owner, '1') == 1 then
    count = count - 1
    if count > 0 then
      redis.call('hset', latch, 'count', string.format('%.0f', count))
    else
      -- The owners that have counted down are removed: no count goes below zero, and a new count begins anew.
      redis.call('del', latch)
      redis.call('hset', latch, 'count', '0', 'setter', setter or '')
      live(latch, ARGV[5], 'count', 'setter')
    end
  end
end
if verb ~= 'leave' and life >= 0 and life < tonumber(ARGV[5]) then
  redis.call('pexpire', latch, ARGV[5])
end
local answer = 0
if verb ~= 'leave' then
  if granted then
    unlist(waiters, owner)
    answer = fence
  else
    if ARGV[8] ~= '' then
      lineUp(waiters, living, owner, now - ARGV[8], now, ARGV[9], ARGV[7], 'z', ARGV[10])
    end
    answer = -math.ceil(ARGV[9] / 4)
  end
end
if verb == 'count' and count == 0 then
  wake(waiters, 'C', ARGV[1], living, nothing(0, 0), owner)
end
return answer
