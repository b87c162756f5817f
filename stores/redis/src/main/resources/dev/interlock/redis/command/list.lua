-- Finds names that are in use, in one step of a scan.
--
-- ARGV[1]  cursor; 0 to begin
-- ARGV[2]  the prefix of the names
--
-- Returns  a list: the next cursor, 0 at the end; the names, each behind the letter of its kind: L lock, R read/write
--          lock, S semaphore, C latch. A name
--          may occur twice in the course of a scan
--
-- Every name in use has a hash. A fence is a string that outlasts its lock for a while, so that mostly there are many
-- more fences: SCAN with a type skips them in a tenth of the time that this script would take. The script reads keys
-- that are not among KEYS, since they are not known before; each server lists its own. They may belong to other
-- programs, and this user may not be allowed to read them, so commands are sent with pcall.
local prefix = ARGV[2]
local step = redis.call('scan', ARGV[1], 'count', 1000, 'type', 'hash')
local result = { step[1] }
local function found(letter, name)
  if string.sub(name, 1, #prefix) == prefix then
    result[#result + 1] = letter .. name
  end
end
-- Returns the name to which a further key belongs, see docs/internals/redis-format.md; nil if it is none of these keys.
local function nameOf(key, beginning)
  if string.sub(key, 1, #beginning) == beginning then
    local rest = string.sub(key, #beginning + 1)
    return string.match(rest, '^{([^{}]+)}$') or string.match(rest, '^{%d+}:(.*)$') or string.match(rest, '^:(.*)$')
  end
end
local beside = { S = 'interlock_semaphore:', C = 'interlock_latch:', R = 'interlock_rw:' }
for _, key in ipairs(step[2]) do
  for letter, beginning in pairs(beside) do
    local name = nameOf(key, beginning)
    if name then
      found(letter, name)
    end
  end
  if string.sub(key, 1, #prefix) == prefix then
    if redis.pcall('hexists', key, 'interlock') == 1 then
      found('L', key)
    elseif redis.pcall('exists', 'interlock_fence:' .. (string.find(key, '[{}]') and key or '{' .. key .. '}')) == 1 then
      -- Held by a client of Redisson, and used by a client of Interlock a short time ago.
      found(redis.pcall('hexists', key, 'mode') == 1 and 'R' or 'L', key)
    end
  end
end
return result
