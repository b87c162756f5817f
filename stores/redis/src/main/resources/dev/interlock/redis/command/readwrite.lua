-- Part of the scripts of read/write locks: the hash that Redisson uses as well, and the holders of Interlock in a
-- hash of their own. Follows holders.lua.
--
-- KEYS[1]  the holders of Interlock
-- KEYS[4]  the lock in Redisson's layout: 'mode', which is read or write; a field for each reader with a count;
--          '<owner>:write' for the writer
--
-- Nothing else may be in that hash, since Redisson counts its fields. Each reader has a key
-- '<prefix>:<owner>:rwlock_timeout:<i>' for each of its holds, which lives as long as that hold's lease: a reader
-- without such a key no longer holds. These keys are not among KEYS, since those of other readers are not known
-- before; Redisson does the same. In a cluster they have the slot of the lock, except for a name with braces but no
-- hash tag. Redisson can have no read/write lock with such a name there, so they are not needed.

local KIND = 'R'
local MOST_HOLDS = 1000
local FOREVER = 9007199254740991

local function timeout(owner, i)
  return prefix .. ':' .. owner .. ':rwlock_timeout:' .. i
end

-- Returns the reply to a command for such a key; nil if the key is on another server.
local function here(reply)
  if type(reply) == 'table' and reply.err then
    if not string.find(reply.err, 'non local key', 1, true) then
      error(reply.err, 2)
    end
    return nil
  end
  return reply
end

local function field(entry)
  return entry.mode == 's' and entry.owner or entry.owner .. ':write'
end

-- How many more keys of holds may be looked at.
local looks = MOST_ENTRIES

-- How many keys of holds this owner may have. Any program may have written the number, so only digits count: with
-- 'nan', no bound would hold. Each key is made with the owner's name, so that of a long name none is made.
local function holdsOf(owner, holds)
  local number = #owner <= LONGEST_OWNER and type(holds) == 'string' and string.match(holds, '^%d+$')
  return number and math.min(tonumber(number), MOST_HOLDS) or 0
end

-- Returns a holder of Redisson, with the lease of its longest hold; nil if all have ended.
local function stranger(name, holds, now, lockLeft)
  local writer = string.match(name, '^(.*):write$')
  local longest = writer and lockLeft or -2
  local count = holdsOf(name, holds)
  if not writer and (count > looks or #name > LONGEST_OWNER) then
    -- Without a look at its keys it counts for as long as the hash lives.
    longest = lockLeft
  elseif not writer then
    looks = looks - count
    for i = 1, count do
      local life = here(redis.pcall('pttl', timeout(name, i))) or -2
      longest = life == -1 and -1 or longest == -1 and -1 or math.max(longest, life)
    end
  end
  if longest > 0 or longest == -1 then
    return {
      owner = writer or name, mode = writer and 'f' or 's', stranger = true,
      fence = 0, since = now, ends = longest == -1 and FOREVER or now + longest * 1000, party = '-',
    }
  end
end

local function load(now)
  if isTooLarge(KEYS[4]) or isTooLarge(KEYS[1]) then
    return tooMany()
  end
  local state = { held = {}, over = {}, stale = {}, changed = false }
  local fields = redis.call('hgetall', KEYS[4])
  local present = {}
  for i = 1, #fields, 2 do
    present[fields[i]] = fields[i + 1]
  end
  if #fields > 0 and not present.mode then
    return redis.error_reply('WRONGKIND lock')
  end
  local ours = redis.call('hgetall', KEYS[1])
  for i = 1, #ours, 2 do
    local entry = parse(ours[i + 1])
    if entry then
      entry.owner = ours[i]
      local name = field(entry)
      if present[name] and entry.ends > now then
        state.held[#state.held + 1] = entry
      else
        state.over[#state.over + 1] = entry.owner
        state.changed = true
        state.stale[#state.stale + 1] = present[name] and name
      end
      present[name] = nil
    end
  end
  local lockLeft = redis.call('pttl', KEYS[4])
  for name, holds in pairs(present) do
    if name ~= 'mode' then
      local entry = stranger(name, holds, now, lockLeft)
      if entry then
        state.held[#state.held + 1] = entry
      else
        state.stale[#state.stale + 1] = name
      end
    end
  end
  return state
end

local function know()
end

local function put(state, entry, lease)
  -- A late renewal must not bring back readers whose leases have ended.
  for _, name in ipairs(state.stale) do
    redis.call('hdel', KEYS[4], name)
  end
  state.held[#state.held + 1] = entry
  state.changed = true
  write(entry)
  if entry.mode == 's' then
    redis.call('hdel', KEYS[4], entry.owner .. ':write')
    redis.call('hset', KEYS[4], 'mode', 'read', entry.owner, '1')
    here(redis.pcall('set', timeout(entry.owner, 1), '1', 'px', lease))
  else
    redis.call('hset', KEYS[4], 'mode', 'write', entry.owner .. ':write', '1')
  end
end

-- The key of a share expires by itself.
function abandon(state)
  if state.fresh then
    without(state.held, state.fresh)
    redis.call('hdel', KEYS[1], state.fresh)
    redis.call('hdel', KEYS[4], state.fresh, state.fresh .. ':write')
  end
  if #state.held == 0 then
    redis.call('hdel', KEYS[4], 'mode')
  end
end

-- Ends a hold of Interlock, and by force also one of Redisson.
local function drop(state, owner, forced)
  local entry = without(state.held, owner)
  if entry and entry.stranger and not forced then
    state.held[#state.held + 1] = entry
    return nil
  end
  if entry then
    state.changed = true
    for i = 1, holdsOf(owner, redis.pcall('hget', KEYS[4], owner)) do
      here(redis.pcall('del', timeout(owner, i)))
    end
    redis.call('hdel', KEYS[4], owner, owner .. ':write')
    redis.call('hdel', KEYS[1], owner)
    -- A thread of Redisson may have both a share and the whole: both end.
    local also = without(state.held, owner)
    entry = also and also.mode == 'f' and also or entry
  end
  return entry
end

-- The hash lives exactly as long as its longest lease. Writes nothing if nothing has changed: it may be Redisson's
-- alone.
local function save(state, now)
  if not state.changed then
    return
  end
  if #state.held == 0 then
    redis.call('del', KEYS[4], KEYS[1])
    return
  end
  clear(state)
  local taken = count(state)
  redis.call('hset', KEYS[4], 'mode', taken.exclusive > 0 and 'write' or 'read')
  local longest = left(state, now, math.max)
  if longest < FOREVER / 2000 then
    longest = string.format('%.0f', longest)
    sustain(state, KEYS[4], longest)
    sustain(state, KEYS[1], longest)
  end
end

-- Notifies clients of Redisson: a writer that goes or becomes a reader wakes all of them, the last reader one.
local function announce(channel, ended, state)
  if channel ~= '' and ended then
    if ended.mode ~= 's' then
      redis.pcall('publish', channel, '1')
    elseif #state.held == 0 then
      redis.pcall('publish', channel, '0')
    end
  end
end
