-- Acquires a fair lock: claims are granted in the order of arrival. Follows wake.lua.
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
-- ARGV[10] its mode, 'f' with or without a lease and a ticket, see wake.lua
--
-- Returns  as acquire.lua
--
-- The hash is that of a plain lock, so that both exclude each other; 'f' behind the party marks a fair claim. While
-- the lock is held, the script need not read the waiting claims. If it refuses although the lock is free, it wakes
-- the claim whose turn it is, since that wake may have been lost.
local lock, waiters, owner = KEYS[1], KEYS[3], ARGV[1]
local ended = false
if ARGV[7] ~= '' then
  redis.call('hdel', waiters, ARGV[7])
  ended = redis.call('hexists', lock, ARGV[7]) == 1
  if ended then
    redis.call('del', lock)
  end
end
local now = micros()
local retry = ARGV[6] / 4
local left = redis.call('pttl', lock)
local living = {}
local fence
if left ~= -2 then
  local client, number
  for i, field in ipairs(redis.call('hgetall', lock)) do
    if i % 2 == 1 and field == 'mode' then
      return redis.error_reply('WRONGKIND read/write lock')
    elseif i % 2 == 1 and not client then
      client, number = string.match(field, '^(.*):(0%d+)$')
    end
  end
  if client then
    -- As in acquire.lua.
    redis.pcall('publish', 'interlock_inbox:' .. client, 'L' .. number .. ' wanted:' .. lock)
  end
  if redis.call('hexists', lock, owner) == 1 then
    -- The same claim again, after a lost reply: the same grant, with a lease from now.
    local mark = redis.call('hget', lock, 'interlock')
    fence = mark and tonumber(string.match(mark, '^%d+'))
  end
  if fence then
    redis.call('pexpire', lock, ARGV[2])
    redis.call('pexpire', KEYS[2], ARGV[3])
    redis.call('hdel', waiters, owner)
    return fence
  end
  local listed = redis.call('hget', waiters, owner)
  local since = listed and string.match(listed, '^(%-?%d+) %d+ %S* %S* %S* %S* f[ @.%d]*$')
  living[owner] = since and { since = tonumber(since) }
  retry = left >= 0 and math.min(retry, math.max(left, 1)) or retry
else
  living = line(waiters, now)
  if isTurn(living, owner, now - (tonumber(ARGV[5]) or 0), 'f', nothing()) then
    fence = nextFence(KEYS[2], now, ARGV[3])
    if not fence then
      return noFence()
    end
    redis.call('hset', lock, owner, '1', 'interlock',
        string.format('%.0f %.0f ', fence, now) .. ARGV[4] .. ' f')
    live(lock, ARGV[2], owner, 'interlock')
    redis.call('hdel', waiters, owner)
    return fence
  end
end
if ARGV[5] ~= '' then
  lineUp(waiters, living, owner, now - ARGV[5], now, ARGV[6], ARGV[4], ARGV[10], ARGV[9])
end
if left == -2 then
  local told, died = wake(waiters, 'L', lock, living, nothing(), owner)
  if died then
    retry = 1
  end
  if ended and ARGV[8] ~= '' then
    redis.pcall('publish', ARGV[8], '0')
  end
end
return -math.ceil(retry)
