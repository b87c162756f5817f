-- Renews many claims: first those of locks, then of read/write locks, then of semaphores.
--
-- KEYS     for each claim: of a lock, the lock and the last fence; of a read/write lock, the holders, the last fence,
--          and the lock in Redisson's layout; of a semaphore, the holders and the last fence
-- ARGV[1]  how many claims are of locks
-- ARGV[2]  how many are of read/write locks
-- ARGV[3]  how many are of semaphores
-- ARGV     then for each claim: owner, lease in ms, life of the fence in ms; and of a read/write lock the key that
--          lives as long as the owner's share
--
-- In a cluster the keys may have many slots, which KEYS must not: then KEYS is empty, and they are at the end of
-- ARGV. They are there, too, for a single claim in a cluster, whose KEYS are only those without which it is not held: in
-- a slot that is moving, the server refuses a script if not all of KEYS are there, and the fence may be on the other
-- server.
--
-- Returns  one letter for each claim, in order: H held and renewed, - not held, E unknown, for example because the
--          key is on another server of the cluster, or the cluster is down, which stops only scripts with keys
--
-- A key of another type must not fail the whole batch, so commands are sent with pcall. In a slot that is moving, a
-- lock may still be here while its other keys are not. If this user lacks a right, the command is sent again with
-- call, which raises the error with that line.
local locks, shared = tonumber(ARGV[1]), tonumber(ARGV[2])
local all = locks + shared + ARGV[3]
local keys, k, a = KEYS, 1, 4
if #ARGV > 3 + 3 * all + shared then
  keys, k = ARGV, a + 3 * all + shared
end
local result = {}

local function forbidden(reply)
  local refused = type(reply) == 'table' and reply.err
  -- The messages of Redis up to 7.0, and since.
  return refused and (string.find(refused, "can't run", 1, true) or string.find(refused, 'permissions to run', 1, true))
end

-- A claim is not held only if the server says so; a key of another type is such an answer.
local function missing(reply)
  local silent = type(reply) == 'table' and reply.err and not string.find(reply.err, 'WRONGTYPE', 1, true)
  return silent and 'E' or '-'
end

for i = 1, locks do
  local lock = keys[k]
  local held = redis.pcall('hexists', lock, ARGV[a])
  if held == 1 then
    redis.call('pexpire', lock, ARGV[a + 1])
    redis.pcall('pexpire', keys[k + 1], ARGV[a + 2])
    result[i] = 'H'
  elseif forbidden(held) then
    return redis.call('hexists', lock, ARGV[a])
  else
    result[i] = missing(held)
  end
  k, a = k + 2, a + 3
end
if all == locks then
  return table.concat(result)
end

local time = redis.call('time')
local now = time[1] * 1000000 + time[2]

-- A renewal makes no other lease shorter.
local function keep(key, life)
  local present = redis.pcall('pttl', key)
  if forbidden(present) then
    redis.call('pttl', key)
  end
  if type(present) == 'number' and present >= 0 and present < tonumber(life) then
    redis.call('pexpire', key, life)
  end
end

-- Returns this owner's entry with a later end, and its mode; or a letter alone, if the lease has ended.
local function later(holders, owner, lease)
  local text = redis.pcall('hget', holders, owner)
  if forbidden(text) then
    redis.call('hget', holders, owner)
  end
  if type(text) ~= 'string' then
    return missing(text)
  end
  local fence, since, ends, after, mode = string.match(text, '^(%d+) (%d+) (%d+)( .* (%a)%d*)$')
  -- As in parse() of holders.lua: an entry that other scripts ignore is not renewed.
  if not ends or #fence > 16 or #since > 16 or #ends > 18 or tonumber(ends) <= now then
    return '-'
  end
  return fence .. ' ' .. since .. string.format(' %.0f', now + lease * 1000) .. after, mode
end

-- Whether the lock in Redisson's layout has this owner. If so, extends its life and that of the owner's share. For a
-- name with braces but no hash tag, the share is on another server of a cluster, where Redisson has no such lock.
local function stands(lock, owner, mode, lease, share)
  local field = mode == 's' and owner or owner .. ':write'
  local held = redis.pcall('hexists', lock, field)
  if forbidden(held) then
    redis.call('hexists', lock, field)
  end
  if held ~= 1 then
    return false, missing(held)
  end
  if mode ~= 's' then
    redis.call('pexpire', lock, lease)
    return true
  end
  keep(lock, lease)
  local set = redis.pcall('set', share, '1', 'px', lease)
  if set.err and not string.find(set.err, 'non local key', 1, true) then
    redis.call('set', share, '1', 'px', lease)
  end
  return true
end

local written = false
for i = locks + 1, all do
  local holders, owner, lease = keys[k], ARGV[a], ARGV[a + 1]
  local entry, mode = later(holders, owner, lease)
  local held, letter = mode ~= nil, entry
  if held and not written then
    -- A server that is out of memory refuses writes that may need more, but not in a script that has written already:
    -- so a write that needs none comes first.
    redis.call('hdel', holders, '')
    written = true
  end
  if held and i <= locks + shared then
    held, letter = stands(keys[k + 2], owner, mode, lease, ARGV[a + 3])
  end
  if held then
    redis.call('hset', holders, owner, entry)
    keep(holders, lease)
    keep(keys[k + 1], ARGV[a + 2])
  end
  result[i] = held and 'H' or letter
  local more = i <= locks + shared and 1 or 0
  k, a = k + 2 + more, a + 3 + more
end
return table.concat(result)
