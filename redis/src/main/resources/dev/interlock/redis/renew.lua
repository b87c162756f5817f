-- Sets the leases of many claims anew: first those of locks, then of read/write locks, then of semaphores.
--
-- KEYS     for each claim: of a lock, the lock and the last fence; of a read/write lock, the holders, the last fence, the lock as Redisson lays it out, and the
--          owner's key that lives as long as its share; of a semaphore, the holders and the last fence
-- ARGV[1]  how many claims are of locks
-- ARGV[2]  how many are of read/write locks
-- ARGV     then for each claim: owner, lease in ms, life of the fence in ms
--
-- In a cluster the keys may be of many slots, which KEYS must not be: then there are none, and they stand behind all else in ARGV.
--
-- Returns  one letter for each claim, in order: H it is held and renewed, - it is not held, E it is elsewhere in the cluster
--
-- A key of another type is somebody else's: it must not fail the whole batch, so the question is asked with pcall.
local result = {}
local locks, shared = tonumber(ARGV[1]), tonumber(ARGV[2])
local keys, all, k = KEYS, (#ARGV - 2) / 3, 0
if #KEYS == 0 then
  keys, all = ARGV, (#ARGV - 2 - 2 * shared) / 5
  k = 2 + 3 * all
end

local function isElsewhere(answer)
  return type(answer) == 'table' and answer.err and string.find(answer.err, 'non local key', 1, true)
end

for i = 1, locks do
  local lock, a = keys[k + 1], 3 * i
  local held = redis.pcall('hexists', lock, ARGV[a])
  if held == 1 then
    redis.call('pexpire', lock, ARGV[a + 1])
    redis.call('pexpire', keys[k + 2], ARGV[a + 2])
    result[i] = 'H'
  else
    result[i] = isElsewhere(held) and 'E' or '-'
  end
  k = k + 2
end
if all == locks then
  return table.concat(result)
end

local time = redis.call('time')
local now = time[1] * 1000000 + time[2]

-- No renewal makes anybody else's lease shorter.
local function keep(key, life)
  local present = redis.call('pttl', key)
  if present >= 0 and present < tonumber(life) then
    redis.call('pexpire', key, life)
  end
end

-- Moves the end of this owner's entry; its mode, or nil if it is over, and false if it is elsewhere.
local function renew(holders, owner, lease)
  local text = redis.pcall('hget', holders, owner)
  if isElsewhere(text) then
    return false
  elseif type(text) ~= 'string' then
    return nil
  end
  local before, ends, after, mode = string.match(text, '^(%d+ %d+) (%d+)( .* (%a)%d*)$')
  if not ends or tonumber(ends) <= now then
    return nil
  end
  return mode, before .. string.format(' %.0f', now + lease * 1000) .. after
end

for i = locks + 1, all do
  local a = 3 * i
  local owner, lease = ARGV[a], ARGV[a + 1]
  local holders, fence = keys[k + 1], keys[k + 2]
  local mode, entry = renew(holders, owner, lease)
  k = k + 2
  if i <= locks + shared then
    local lock, share = keys[k + 1], keys[k + 2]
    k = k + 2
    if mode and redis.pcall('hexists', lock, mode == 's' and owner or owner .. ':write') ~= 1 then
      mode = nil
    elseif mode == 's' then
      keep(lock, lease)
      redis.call('set', share, '1', 'px', lease)
    elseif mode then
      redis.call('pexpire', lock, lease)
    end
  end
  if mode then
    redis.call('hset', holders, owner, entry)
    keep(holders, lease)
    keep(fence, ARGV[a + 2])
  end
  result[i] = mode and 'H' or mode == false and 'E' or '-'
end
return table.concat(result)
