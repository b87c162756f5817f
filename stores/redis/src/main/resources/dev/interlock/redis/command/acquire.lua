-- Acquires a plain lock: the first request after it has become free is granted.
--
-- KEYS[1]  the lock
-- KEYS[2]  its last fence
-- KEYS[3]  the waiting claims; absent: the claim has never been listed, and is not to be, nor is it kept unused
-- ARGV[1]  owner
-- ARGV[2]  lease, in ms
-- ARGV[3]  life of the fence, in ms
-- ARGV[4]  party: host, pid, application, thread; without line breaks
-- ARGV[5]  how long the claim has waited, in µs; absent: do not list it
-- ARGV[6]  life of a waiting claim's entry, in ms; with ARGV[5] only
-- ARGV[7]  the end of that entry, see wake.lua: ' @<n>' if the client's inbox is a sharded channel, else ''; with
--          ARGV[5] only
--
-- Returns  n > 0  granted, with the fence n
--          n < 0  busy, the holder's lease ends in -n ms
--          0      busy, the holder's lease has no end
--          an error that begins with WRONGKIND: the key is a read/write lock; or with NOFENCE: there is no greater
--          fence
--
-- If the holder's number begins with 0, its client may keep the lock although nobody uses it, and is told that it is
-- wanted: by each refusal, and by the grant if others wait already. The inbox is not a sharded channel then. A message
-- that is lost is sent again by the next request.
--
-- One call decides and grants, so that no other client comes in between. The fence is the server's time in µs, or one
-- more than the last if the clock has gone back: a counter alone would repeat itself after a failover that lost a
-- write. The free lock, the common case, needs the fewest calls.
local owner = ARGV[1]
local left = redis.call('pttl', KEYS[1])
if left ~= -2 then
  if redis.call('hexists', KEYS[1], owner) == 1 then
    local mark = redis.call('hget', KEYS[1], 'interlock')
    local fence = mark and tonumber(string.match(mark, '^%d+'))
    if fence then
      -- The same claim again, after a lost reply: the same grant, with a lease from now.
      redis.call('pexpire', KEYS[1], ARGV[2])
      redis.call('pexpire', KEYS[2], ARGV[3])
      if KEYS[3] then
        redis.pcall('hdel', KEYS[3], owner)
      end
      return fence
    end
  else
    if redis.call('hexists', KEYS[1], 'mode') == 1 then
      return redis.error_reply('WRONGKIND read/write lock')
    end
    local client, number
    -- A lock has two fields: what has many is another program's, of any size. Without the right to +hlen, all is read.
    local size = redis.pcall('hlen', KEYS[1])
    local fields = type(size) == 'number' and size > 10 and {} or redis.call('hgetall', KEYS[1])
    for i = 1, #fields, 2 do
      client, number = string.match(fields[i], '^(.*):(0%d+)$')
      if client then
        break
      end
    end
    if client then
      redis.pcall('publish', 'interlock_inbox:' .. client, 'L' .. number .. ' wanted:' .. KEYS[1])
    end
    if ARGV[5] then
      local time = redis.call('time')
      local now = time[1] * 1000000 + time[2]
      redis.call('hset', KEYS[3], owner,
          string.format('%.0f %.0f ', now - ARGV[5], now + ARGV[6] * 1000) .. ARGV[4] .. ARGV[7])
      if type(redis.pcall('pexpire', KEYS[3], ARGV[6])) == 'table' then
        redis.call('hdel', KEYS[3], owner)
        return redis.call('pexpire', KEYS[3], ARGV[6])
      end
    end
    if left == -1 then
      return 0
    end
    return left > 0 and -left or -1
  end
end
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
-- If the second part has six digits, as it mostly has, the parts together are the number: formatting costs nearly as
-- much as a call.
local since = #time[2] == 6 and time[1] .. time[2] or string.format('%.0f', now)
-- Gets and sets in one call. Redis 6.0 refuses that and needs two.
local last = redis.pcall('set', KEYS[2], since, 'px', ARGV[3], 'get')
local written = type(last) ~= 'table'
if not written then
  last = redis.call('get', KEYS[2])
end
local before = last
last = tonumber(last)
local fence, text = now, since
if last and last >= now then
  if last >= 9007199254740991 then
    -- As nextFence() in wake.lua, but the last fence may be overwritten already.
    if written then
      redis.call('set', KEYS[2], before, 'px', ARGV[3])
    end
    return redis.error_reply('NOFENCE the last fence of this name is out of range')
  end
  fence, written = last + 1, false
  text = string.format('%.0f', fence)
end
if not written then
  redis.call('set', KEYS[2], text, 'px', ARGV[3])
end
redis.call('hset', KEYS[1], owner, '1', 'interlock', text .. ' ' .. since .. ' ' .. ARGV[4])
if type(redis.pcall('pexpire', KEYS[1], ARGV[2])) == 'table' then
  -- This user lacks the right. Redis rolls nothing back, and the lock would be held for ever. The second call raises
  -- the error with this line.
  redis.call('hdel', KEYS[1], owner, 'interlock')
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
if ARGV[5] then
  -- It is granted, whatever became of that key.
  redis.pcall('hdel', KEYS[3], owner)
end
if KEYS[3] then
  local client, number = string.match(owner, '^(.*):(0%d+)$')
  if client and redis.call('exists', KEYS[3]) == 1 then
    redis.pcall('publish', 'interlock_inbox:' .. client, 'L' .. number .. ' wanted:' .. KEYS[1])
  end
end
return fence
