-- The end of release.lua if claims wait. Follows wake.lua.
--
-- A claim that only waited may have been woken before it gave up. If the lock is free, the script wakes the next:
-- otherwise the others would not notice that.
if not held then
  if redis.call('exists', KEYS[1]) == 0 then
    wakeFree(waiters, KEYS[1], ARGV[1])
  end
  return 0
end

-- Returns the claim that has waited longest, as line() does, without the cost for all others: only its own entry is
-- parsed to the end.
local function longest(now, ended)
  local entries = entriesOf(waiters)
  local first, text, earliest
  for i = 1, #entries, 2 do
    local owner = entries[i]
    local since, deadline = string.match(entries[i + 1], '^(%-?%d+) (%d+) ')
    since, deadline = tonumber(since), tonumber(deadline)
    if not since or deadline <= now or owner == ended or #owner > LONGEST_OWNER then
      redis.call('hdel', waiters, owner)
    elseif not first or since < earliest or since == earliest and owner < first then
      first, text, earliest = owner, entries[i + 1], since
    end
  end
  return first, text
end

-- Grants the lock to the claim that has waited longest, if it may succeed and its inbox has a subscriber. The grant
-- lasts for as long as its entry would have lived: so if its client is stopped, it delays others no more than before.
-- The message is that of every wake, which proves nothing: the claim asks, and finds itself granted.
-- Returns whether the lock was granted.
--
-- Writes before it publishes: a server that is out of memory refuses to write, and then no message must have been
-- sent.
local function succeed(lock, fences, life, ended)
  local now = micros()
  while true do
    local owner, text = longest(now, ended)
    local client, number = string.match(owner or '', '^(.*):(%d+)$')
    if not client then
      return false
    end
    local _, deadline, party, mode, inbox = parseEntry(text)
    local lease = tonumber(string.match(mode or '', '^f(%d+)'))
    local left = lease and math.min(lease, math.floor((deadline - now) / 1000)) or 0
    if left < 1 then
      return false
    end
    local fence = nextFence(fences, now, life)
    if not fence then
      return false
    end
    redis.call('hset', lock, owner, '1', 'interlock', string.format('%.0f %.0f ', fence, now) .. party .. ' f')
    live(lock, string.format('%.0f', left), owner, 'interlock')
    local heard = tell(client, inbox, 'L' .. number .. ':' .. lock)
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

if fences then
  local written, done = pcall(succeed, KEYS[1], fences, ARGV[2], ARGV[1])
  if written and done then
    return 1
  end
end
local woken = wakeFree(waiters, KEYS[1], ARGV[1])
if channel then
  redis.pcall('publish', channel, '0')
end
return woken < 0 and -1 or 1
