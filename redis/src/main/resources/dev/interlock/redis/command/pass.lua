-- The end of release.lua if claims wait. Follows wake.lua.
--
-- A claim that only waited may have been woken before it gave up. If the lock is free, the script wakes the next:
-- otherwise the others would not notice that.
if not held then
  if redis.call('exists', KEYS[1]) == 0 then
    wakeFree(KEYS[2], KEYS[1], ARGV[1])
  end
  return 0
end

-- Returns the claim that has waited longest, as line() does, without the cost for all others.
local function longest(waiters, now, ended)
  local entries = redis.call('hgetall', waiters)
  local first, text, earliest
  for i = 1, #entries, 2 do
    local owner = entries[i]
    local since, deadline = string.match(entries[i + 1], '^(%-?%d+) (%d+) ')
    since = tonumber(since)
    if not since or tonumber(deadline) <= now or owner == ended then
      redis.call('hdel', waiters, owner)
    elseif not first or since < earliest or since == earliest and owner < first then
      first, text, earliest = owner, entries[i + 1], since
    end
  end
  return first, text
end

-- Grants the lock to the claim that has waited longest, if it may succeed and its inbox has a subscriber. The grant
-- lasts for as long as its entry would have lived: so if its client is stopped, it delays others no more than before.
-- Returns whether the lock was granted.
--
-- Writes before it publishes: a server that is out of memory refuses to write, and then no message must have been
-- sent.
local function succeed(lock, waiters, fences, life, ended)
  local now = micros()
  while true do
    local owner, text = longest(waiters, now, ended)
    local client, number = string.match(owner or '', '^(.*):(%d+)$')
    local deadline, party, lease, ticket, inbox =
        string.match(text or '', '^%-?%d+ (%d+) (%S* %S* %S* %S*) f(%d+)%.(%d+) ?@?(%d*)$')
    local left = lease and math.min(lease, math.floor((deadline - now) / 1000)) or 0
    if not client or left < 1 then
      return false
    end
    local fence = nextFence(fences, now, life)
    if not fence then
      return false
    end
    fence = string.format('%.0f', fence)
    redis.call('hset', lock, owner, '1', 'interlock', fence .. string.format(' %.0f ', now) .. party .. ' f')
    live(lock, left, owner, 'interlock')
    local heard = tell(client, inbox, 'L' .. number .. ' ' .. fence .. ' ' .. ticket .. ' ' .. lease .. ':' .. lock)
    if type(heard) == 'table' then
      redis.call('del', lock)
      return false
    end
    redis.call('hdel', waiters, owner)
    if heard > 0 then
      return true
    end
    redis.call('del', lock)
  end
end

if KEYS[3] then
  local written, done = pcall(succeed, KEYS[1], KEYS[2], KEYS[3], ARGV[2], ARGV[1])
  if written and done then
    return 1
  end
end
local woken = wakeFree(KEYS[2], KEYS[1], ARGV[1])
if channel then
  redis.pcall('publish', channel, '0')
end
return woken < 0 and -1 or 1
