-- Part of the scripts of semaphores: the holders of permits, and the capacity. Follows holders.lua.
--
-- KEYS[1]  the holders; besides, the field 'capacity': '<capacity> <until>', the time until which an unused capacity
--          is kept (0: not), in µs
-- KEYS[3]  the waiting claims

local KIND = 'S'
local MOST = 2147483647
local LONGEST = 100000000000000000

local function load(now)
  if isTooLarge(KEYS[1]) then
    return tooMany()
  end
  local state = { held = {}, over = {}, resized = 0 }
  local fields = redis.call('hgetall', KEYS[1])
  for i = 1, #fields, 2 do
    if fields[i] == 'capacity' then
      local capacity, resized = string.match(fields[i + 1], '^(%d+) (%d+)$')
      -- Any program may have written it.
      state.capacity = capacity and math.min(tonumber(capacity), MOST)
      state.resized = math.min(tonumber(resized) or 0, now + LONGEST)
    else
      local entry = parse(fields[i + 1])
      if entry and entry.ends > now then
        entry.owner = fields[i]
        state.held[#state.held + 1] = entry
      else
        state.over[#state.over + 1] = fields[i]
      end
    end
  end
  return state
end

-- Forgets an unused capacity, and takes that of the first claim.
local function know(state, living, capacity, now)
  if #state.held == 0 and #living == 0 and state.resized <= now then
    state.capacity, state.resized = nil, 0
  end
  if (state.capacity or 0) == 0 then
    state.capacity = tonumber(capacity)
  end
end

local function put(state, entry)
  state.held[#state.held + 1] = entry
  write(entry)
end

local function drop(state, owner)
  local entry = without(state.held, owner)
  if entry then
    redis.call('hdel', KEYS[1], owner)
  end
  return entry
end

function abandon(state)
  if state.fresh then
    drop(state, state.fresh)
  end
  if #state.held == 0 then
    redis.call('hdel', KEYS[1], 'capacity')
  end
end

-- Writes the state, with the life that it needs: also for waiting claims, which may have set the capacity.
local function save(state, now)
  clear(state)
  local life = math.max(left(state, now, math.max) or 0, math.ceil((state.resized - now) / 1000),
      redis.call('pttl', KEYS[3]))
  if life <= 0 then
    redis.call('del', KEYS[1])
  else
    redis.call('hset', KEYS[1], 'capacity', string.format('%.0f %.0f', state.capacity or 0, state.resized))
    sustain(state, KEYS[1], string.format('%.0f', life))
  end
end

-- Redisson has no part in semaphores.
local function announce()
end
