-- Part of the scripts that end a claim or acquire a fair one: which claims wait, which fit, and which are woken.
--
-- The entry of a waiting claim is '<since> <deadline> <party> <mode>', with both times in µs of the server's clock.
-- Modes:
--   nothing  exclusive, plain     f   exclusive, fair     s   a share
--   p3       three permits        z   waits for a count of zero
--   f5000    exclusive, fair; a release may grant the lock to it, for 5000 ms, before it asks. Clients of an earlier
--            version add a point and a number
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

-- The most entries of a hash that a script reads: any program may have written more, and while a script runs, the
-- server answers nobody.
local MOST_ENTRIES = 10000

-- The longest entry of a waiting claim that is shown to people, with its owner.
local LONGEST_ENTRY = 32768

-- The longest owner, in bytes, for whom a script does more than to read it once. Those of Interlock and Redisson are
-- shorter than 100.
local LONGEST_OWNER = 1024

-- Whether a hash has more entries than that. Users without the right to +hlen do without this bound.
local function isTooLarge(key)
  local size = redis.pcall('hlen', key)
  return type(size) == 'number' and size > MOST_ENTRIES
end

-- Whether a command failed because the key has another type.
local function isOfAnotherType(reply)
  return type(reply) == 'table' and reply.err and string.find(reply.err, 'WRONGTYPE', 1, true)
end

-- The entries of a hash of waiting claims. A key of another type has none, so that it holds nothing up. If there are
-- too many, all are dropped: claims that wait ask again, and line up by how long they have waited.
local function entriesOf(waiters)
  if isTooLarge(waiters) then
    redis.call('del', waiters)
    return {}
  end
  local entries = redis.pcall('hgetall', waiters)
  if isOfAnotherType(entries) then
    return {}
  end
  return entries.err and redis.call('hgetall', waiters) or entries
end

-- Removes an entry of a waiting claim, if it has one.
local function unlist(waiters, owner)
  local removed = redis.pcall('hdel', waiters, owner)
  if type(removed) == 'table' and not isOfAnotherType(removed) then
    redis.call('hdel', waiters, owner)
  end
end

-- Parses the entry of a waiting claim. Returns since, deadline, party, mode and inbox; nil if it is none.
--
-- Any program may have written it, of any length. So no pattern here may try a text in several ways: with two parts
-- that both match a digit, 3,000 digits would stop the server for half a minute. Spaces are found one by one, and
-- patterns see short texts only, or begin at a fixed place.
local function parseEntry(text)
  local since, deadline, start = string.match(text, '^(%-?%d+) (%d+) ()')
  if not since or #since > 17 or #deadline > 17 then
    return nil
  end
  local space = start - 1
  for _ = 1, 3 do
    space = string.find(text, ' ', space + 1, true)
    if not space then
      return nil
    end
  end
  space = string.find(text, ' ', space + 1, true) or #text + 1
  local mode, inbox = string.sub(text, space, space + 65), ''
  if #mode > 64 then
    return nil
  end
  local at = string.find(mode, ' @', 1, true)
  if at then
    mode, inbox = string.sub(mode, 1, at - 1), string.sub(mode, at + 2)
  end
  if not string.find(mode, '^ [fszp][%d.]*$') and mode ~= '' or not string.find(inbox, '^%d*$') then
    return nil
  end
  return tonumber(since), tonumber(deadline), string.sub(text, start, space - 1), string.sub(mode, 2), inbox
end

-- Returns the waiting claims, longest wait first, and also by owner. Removes entries that are past their deadline or
--         cannot be parsed, and that of the owner 'ended'.
local function line(waiters, now, ended)
  local living = {}
  local entries = entriesOf(waiters)
  for i = 1, #entries, 2 do
    local owner = entries[i]
    local since, deadline, _, mode, inbox = parseEntry(entries[i + 1])
    if since and deadline > now and owner ~= ended and #owner <= LONGEST_OWNER then
      local entry = { owner = owner, since = since, mode = mode, inbox = inbox }
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
