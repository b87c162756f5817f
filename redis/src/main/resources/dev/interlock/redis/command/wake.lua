-- Part of the scripts that end a claim or acquire a fair one: which claims wait, which fit, and which are woken.
--
-- The entry of a waiting claim is '<since> <deadline> <party> <mode>', with both times in µs of the server's clock.
-- Modes:
--   nothing  exclusive, plain     f   exclusive, fair     s   a share
--   p3       three permits        z   waits for a count of zero
--   f5000.7  exclusive, fair; a release may grant the lock to it, for 5000 ms and with the ticket 7
-- ' @<n>' may follow if the client's inbox is a sharded channel; n is the hash tag in its name. A claim with a mode
-- keeps its entry when it is woken, until it is granted or gives up. A plain one loses it, and is listed again if it
-- comes too late.

local function micros()
  local time = redis.call('time')
  return time[1] * 1000000 + time[2]
end

-- Sets the life of a hash, in ms. If this user lacks the right, removes the fields that the script has just written:
-- Redis rolls nothing back, and they would stay for ever. The second call raises the error with this line.
local function live(key, life, ...)
  if type(redis.pcall('pexpire', key, life)) == 'table' then
    redis.pcall('hdel', key, ...)
    redis.call('pexpire', key, life)
  end
end

-- The reply if nextFence returns nil.
local function noFence()
  return redis.error_reply('NOFENCE the last fence of this name is out of range')
end

-- Returns the greater of the server's time and the last fence plus one, and stores it for at least this life, in ms.
--         Returns nil and writes nothing if the last fence is the greatest exact number of Lua: the next would be
--         lower.
local function nextFence(key, now, life)
  local fence = now
  local last = tonumber(redis.call('get', key))
  if last and last >= now then
    if last >= 9007199254740991 then
      return nil
    end
    fence = last + 1
  end
  local longest = math.max(tonumber(life), redis.call('pttl', key))
  redis.call('set', key, string.format('%.0f', fence), 'px', string.format('%.0f', longest))
  return fence
end

-- What holders have of a name. capacity: that of a semaphore; count: that of a latch.
local function nothing(capacity, count)
  return { exclusive = 0, shared = 0, permits = 0, capacity = capacity or 0, count = count or 0 }
end

local function add(taken, mode)
  local letter = string.sub(mode, 1, 1)
  if letter == 'p' then
    taken.permits = taken.permits + (tonumber(string.sub(mode, 2)) or 0)
  elseif letter == 's' then
    taken.shared = taken.shared + 1
  elseif letter ~= 'z' then
    taken.exclusive = taken.exclusive + 1
  end
end

local function fits(mode, taken)
  local letter = string.sub(mode, 1, 1)
  if letter == 'p' then
    return taken.permits + (tonumber(string.sub(mode, 2)) or 0) <= taken.capacity
  elseif letter == 's' then
    return taken.exclusive == 0
  elseif letter == 'z' then
    return taken.count == 0
  end
  return taken.exclusive == 0 and taken.shared == 0
end

-- Returns the waiting claims, longest wait first, and also by owner. Removes entries that are past their deadline or
--         cannot be parsed, and that of the owner 'ended'.
local function line(waiters, now, ended)
  local living = {}
  local entries = redis.call('hgetall', waiters)
  for i = 1, #entries, 2 do
    local owner = entries[i]
    local since, deadline, mode, inbox =
        string.match(entries[i + 1], '^(%-?%d+) (%d+) %S* %S* %S* %S* ?([fszp]?[%d.]*) ?@?(%d*)$')
    if since and tonumber(deadline) > now and owner ~= ended then
      local entry = { owner = owner, since = tonumber(since), mode = mode, inbox = inbox }
      living[#living + 1] = entry
      living[owner] = entry
    else
      redis.call('hdel', waiters, owner)
    end
  end
  table.sort(living, function(a, b)
    return a.since < b.since or a.since == b.since and a.owner < b.owner
  end)
  return living
end

-- Publishes to a client. Returns the number of receivers, or the error of a missing right.
local function tell(client, inbox, message)
  if inbox == '' then
    return redis.pcall('publish', 'interlock_inbox:' .. client, message)
  end
  local heard = redis.pcall('spublish', 'interlock_inbox:{' .. inbox .. '}:' .. client, message)
  -- The slot of the inbox has moved to another server: it has no subscribers here any more.
  local moved = type(heard) == 'table' and string.find(heard.err, 'non local key', 1, true)
  return moved and 0 or heard
end

-- Wakes waiting claims that fit beside the holders, in order, up to the first that does not fit.
--   kind    the letter of the kind; with name, for the message
--   living  the waiting claims; counted as holders when they are woken
--   asker   an owner that is not woken, since it has its reply; client: a client none of whose claims is woken; nil:
--           none
-- Returns  the number of woken claims, or -1 if this user may not publish; and whether a dead client was found
--
-- A client whose inbox has no subscriber is dead, and its entry is removed. A message is published only if a claim
-- waits. That comes last, and its failure is caught: the name is free already, and a waiter that misses its wake asks
-- again by itself.
local function wake(waiters, kind, name, living, taken, asker, client)
  local told, died = 0, false
  for _, entry in ipairs(living) do
    local waiter, number = string.match(entry.owner, '^(.*):(.*)$')
    waiter = waiter or entry.owner
    if waiter ~= client then
      if not fits(entry.mode, taken) then
        break
      end
      local heard = 1
      if entry.owner ~= asker then
        heard = tell(waiter, entry.inbox, kind .. (number or '') .. ':' .. name)
      end
      if entry.mode == '' or heard == 0 then
        redis.call('hdel', waiters, entry.owner)
      end
      if type(heard) == 'table' then
        return -1, died
      elseif heard > 0 then
        add(taken, entry.mode)
        told = told + 1
      else
        died = true
      end
    end
  end
  return told, died
end

-- Wakes the next claims of a lock that has just become free.
local function wakeFree(waiters, name, ended, client)
  return (wake(waiters, 'L', name, line(waiters, micros(), ended), nothing(), nil, client))
end

-- Lists a claim that waits in order, or extends its entry in its place. inbox: the end of the entry for a sharded
-- channel.
local function lineUp(waiters, living, owner, since, now, life, party, mode, inbox)
  local listed = living[owner]
  redis.call('hset', waiters, owner, string.format('%.0f %.0f ', listed and listed.since or since, now + life * 1000)
      .. party .. ' ' .. mode .. inbox)
  if redis.call('pttl', waiters) < tonumber(life) then
    live(waiters, life, owner)
  end
end

-- Whether a claim fits beside the holders and the claims that came before it.
local function isTurn(living, owner, since, mode, taken)
  local listed = living[owner]
  for _, entry in ipairs(living) do
    if entry.owner == owner or not listed and entry.since > since then
      break
    end
    add(taken, entry.mode)
  end
  return fits(mode, taken)
end
