-- The rest of the acquire of a fair lock, for a claim that does not hold it. Follows enter.lua and wake.lua.
--
-- While the lock is held, the script need not read the waiting claims. If it refuses although the lock is free, it
-- wakes the claim whose turn it is, since that wake may have been lost.
local now = micros()
local retry = ARGV[6] / 4
local left = redis.call('pttl', lock)
local living = {}
if left ~= -2 then
  local fields = isTooLarge(lock) and {} or redis.call('hgetall', lock)
  local isOther = #fields == 0 and redis.call('hexists', lock, 'mode') == 1
  local client, number
  for i = 1, #fields, 2 do
    isOther = isOther or fields[i] == 'mode'
    if not client then
      client, number = string.match(fields[i], '^(.*):(0%d+)$')
    end
  end
  if isOther then
    return redis.error_reply('WRONGKIND read/write lock')
  end
  if client then
    -- As in acquire.lua.
    redis.pcall('publish', 'interlock_inbox:' .. client, 'L' .. number .. ' wanted:' .. lock)
  end
  local listed = redis.pcall('hget', waiters, owner)
  local since, _, _, mode = parseEntry(type(listed) == 'string' and listed or '')
  living[owner] = since and string.sub(mode, 1, 1) == 'f' and { since = since } or nil
  retry = left >= 0 and math.min(retry, math.max(left, 1)) or retry
else
  living = line(waiters, now)
  if isTurn(living, owner, now - (tonumber(ARGV[5]) or 0), 'f', nothing()) then
    local fence = nextFence(KEYS[2], now, ARGV[3])
    if not fence then
      return noFence()
    end
    redis.call('hset', lock, owner, '1', 'interlock',
        string.format('%.0f %.0f ', fence, now) .. ARGV[4] .. ' f')
    live(lock, ARGV[2], owner, 'interlock')
    unlist(waiters, owner)
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
