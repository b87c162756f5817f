-- Part of the scripts of read/write locks and semaphores: a hash of the holders, each with a lease of its own.
-- Follows wake.lua.
--
-- KEYS[1]  the holders: a field for each owner, '<fence> <since> <until> <party> <mode>', times in µs of the server's
--          clock
--
-- A state, as semaphore.lua or readwrite.lua loads it, has: held, a list of { owner, fence, since, ends, party, mode
-- }; over, the owners in the hash whose leases have ended; and further data of the kind.

-- The prefix of the keys of shares, see readwrite.lua.
local prefix

-- Undoes the grant to the owner state.fresh, and removes what is left if there is no other holder.
local abandon

-- The state if there are more holders than a script may read.
local function tooMany()
  return redis.error_reply('TOOMANY holders')
end

-- Returns nil for an entry of another program, which may have too many digits.
local function parse(text)
  local fence, since, ends, party, mode =
      string.match(text, '^(%d+) (%d+) (%d+) (%S* %S* %S* %S*) ([fsp]%d*)$')
  if fence and #fence <= 16 and #since <= 16 and #ends <= 18 and #mode <= 11 then
    return { fence = tonumber(fence), since = tonumber(since), ends = tonumber(ends), party = party, mode = mode }
  end
end

local function write(entry)
  redis.call('hset', KEYS[1], entry.owner, string.format('%.0f %.0f %.0f ', entry.fence, entry.since, entry.ends)
      .. entry.party .. ' ' .. entry.mode)
end

-- Removes this owner's entry from the list and returns it; nil if there is none.
local function without(list, owner)
  for i, entry in ipairs(list) do
    if entry.owner == owner then
      return table.remove(list, i)
    end
  end
end

-- Removes the entries whose leases have ended, except those of owners that have a new one.
local function clear(state)
  local anew = {}
  for _, entry in ipairs(state.held) do
    anew[entry.owner] = not entry.stranger
  end
  for _, owner in ipairs(state.over) do
    if not anew[owner] then
      redis.call('hdel', KEYS[1], owner)
    end
  end
end

local function count(state)
  local taken = nothing(state.capacity)
  for _, entry in ipairs(state.held) do
    add(taken, entry.mode)
  end
  return taken
end

-- The remaining time of the lease that ends first or last, in ms, rounded up; nil without holders.
local function left(state, now, choose)
  local ends
  for _, entry in ipairs(state.held) do
    ends = ends and choose(ends, entry.ends) or entry.ends
  end
  return ends and math.max(1, math.ceil((ends - now) / 1000))
end

-- As live(), for hashes whose kind has its own abandon().
local function sustain(state, key, life)
  if type(redis.pcall('pexpire', key, life)) == 'table' then
    abandon(state)
    redis.call('pexpire', key, life)
  end
end

-- Extends the life of a key to at least this time, in ms.
local function keep(key, life)
  local present = redis.call('pttl', key)
  if present >= 0 and present < tonumber(life) then
    redis.call('pexpire', key, string.format('%.0f', life))
  end
end
