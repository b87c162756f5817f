-- Finds names that are in use, by the fences that stand beside them: one step of a scan.
--
-- ARGV[1]  cursor; 0 to begin
-- ARGV[2]  how the names begin
--
-- Returns  a list: the next cursor, 0 at the end; the names, each behind the letter of its kind: L lock, R read/write lock, S semaphore, C latch. A name
--          may come twice in the course of a scan
--
-- A fence outlives its lock for a while, so that mostly there are many more of them: they are sorted out here and not sent. Keys are read that are not among
-- KEYS, as they are not known before: each server lists its own. A fence in braces may be that of the name within, behind or of the whole, see redis-format.md;
-- in a cluster the wrong one of them may be elsewhere, so the question is asked with pcall.
local prefix = ARGV[2]
local step = redis.call('scan', ARGV[1], 'match', 'interlock_fence:*', 'count', 1000)
local result = { step[1] }
local function stands(key)
  return redis.pcall('exists', key) == 1
end
local function consider(name, beside)
  if string.sub(name, 1, #prefix) ~= prefix then
    return
  end
  if stands(name) then
    result[#result + 1] = (redis.pcall('hexists', name, 'mode') == 1 and 'R' or 'L') .. name
  end
  if stands('interlock_semaphore:' .. beside) then
    result[#result + 1] = 'S' .. name
  end
  if stands('interlock_latch:' .. beside) then
    result[#result + 1] = 'C' .. name
  end
end
for _, key in ipairs(step[2]) do
  local rest = string.sub(key, 17)
  if string.find(rest, '{', 1, true) then
    consider(rest, ':' .. rest)
  end
  local inner = string.match(rest, '^{([^{]+)}$') or string.match(rest, '^{%d+}:(.*)$')
  if inner then
    consider(inner, rest)
  end
end
return result
