-- Reads the holder of a lock and the waiting claims, at one instant. Changes nothing.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
-- ARGV[1]  instead of KEYS[2], while the slot is moving, see release.lua
--
-- Returns  a flat list: the server's time in µs; the remaining lease in ms (-1: no end, -2: not locked); the number
--          of elements of the lock's hash; these elements, field and value in turn, each cut to what is shown to
--          people; the elements of the waiters' hash, field and value in turn; or an
--          error that begins with WRONGKIND
local waiters = KEYS[2] or ARGV[1]
local time = redis.call('time')
local result = { time[1] * 1000000 + time[2], redis.call('pttl', KEYS[1]) }
if redis.call('hexists', KEYS[1], 'mode') == 1 then
  return redis.error_reply('WRONGKIND read/write lock')
end
-- As in wake.lua: there may be more than a script may read. Without the right to +hlen, all is read.
local function isTooLarge(key)
  local size = redis.pcall('hlen', key)
  return type(size) == 'number' and size > 10000
end
if isTooLarge(KEYS[1]) then
  return redis.error_reply('TOOMANY fields')
end
local lock = redis.call('hgetall', KEYS[1])
result[3] = #lock
for _, element in ipairs(lock) do
  result[#result + 1] = string.sub(element, 1, 32768)
end
-- A key that is of another type, too large, or on another server hides the waiting claims alone.
local entries = isTooLarge(waiters) and {} or redis.pcall('hgetall', waiters)
for i = 1, #entries, 2 do
  if #entries[i] + #entries[i + 1] <= 32768 then
    result[#result + 1] = entries[i]
    result[#result + 1] = entries[i + 1]
  end
end
return result
