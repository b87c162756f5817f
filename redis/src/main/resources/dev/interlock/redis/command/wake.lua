-- Part of the scripts that end a claim or ask for one in order: who waits, what fits, and who is told.
--
-- An entry among those who wait is '<since> <deadline> <party> <mode>', with both times in µs of the server's clock. The mode says what is wanted:
--   nothing  the whole, for whoever asks first     f   the whole, in order     s   a share
--   p3       three permits                         z   that a count be zero
--   f5000.7  the whole, in order; and, when its turn comes, without another ask: for 5000 ms, with the ticket 7
-- Behind it may stand ' @<n>': the client's inbox is a sharded channel then, and n the tag in its name.
-- A claim in order keeps its entry when it is woken, until it is granted or gives up; another one loses it, and lists itself again if it comes too late.

local function micros()
  local time = redis.call('time')
  return time[1] * 1000000 + time[2]
end

-- Gives a hash its life, in ms. For a user that may not, the fields that the script has just written there are taken out again: nothing is rolled back, and
-- they would stay for ever. Asked again, the server says why with the line.
local function live(key, life, ...)
  if type(redis.pcall('pexpire', key, life)) == 'table' then
    redis.pcall('hdel', key, ...)
    redis.call('pexpire', key, life)
  end
end

-- What is answered where nextFence has none.
local function noFence()
  return redis.error_reply('NOFENCE the last fence of this name is out of range')
end

-- The greater of the server's time and the last fence plus one, kept for at least this life, in ms. nil, and nothing is written, if the last fence is the
-- greatest that a number here has exactly: any other would be lower.
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

-- What is taken of a name, by those who hold it or are to hold it. capacity: of a semaphore; count: of a latch.
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

-- Those who wait, longest first; by their owner as well. What is past its deadline or cannot be read leaves the list, and so does the owner 'ended'.
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

-- Says it to a client: how many heard it, or the error that forbids it.
local function tell(client, inbox, message)
  if inbox == '' then
    return redis.pcall('publish', 'interlock_inbox:' .. client, message)
  end
  local heard = redis.pcall('spublish', 'interlock_inbox:{' .. inbox .. '}:' .. client, message)
  -- The slot of the inbox has moved to another server: nobody listens to it here any more.
  local moved = type(heard) == 'table' and string.find(heard.err, 'non local key', 1, true)
  return moved and 0 or heard
end

-- Tells those who wait and fit beside what is taken, in order, up to the first that does not fit.
--   kind    the letter of the kind, and name: as the message says them
--   living  the line; entries are counted as taken when they are told
--   asker   an owner that is not to be told, as it has its answer; client: one of which nobody is to be told; nil: none
-- Returns  how many were told, or -1 if this user may not publish; and whether somebody was found dead
--
-- A client that nobody hears is dead, and leaves the list. A message is published only if somebody waits. It is the last thing done, and its failure is
-- caught: the name is free already, and a waiter that hears nothing asks again by itself.
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

-- The same for a lock that has just become free.
local function wakeFree(waiters, name, ended, client)
  return (wake(waiters, 'L', name, line(waiters, micros(), ended), nothing(), nil, client))
end

-- Lists a claim that waits in order, or keeps it where it is. inbox: the end of the entry, if it is a sharded channel.
local function lineUp(waiters, living, owner, since, now, life, party, mode, inbox)
  local listed = living[owner]
  redis.call('hset', waiters, owner, string.format('%.0f %.0f ', listed and listed.since or since, now + life * 1000)
      .. party .. ' ' .. mode .. inbox)
  if redis.call('pttl', waiters) < tonumber(life) then
    live(waiters, life, owner)
  end
end

-- Whether a claim fits beside what is taken and those who came before it.
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
