-- Reads the holder of a lock and the waiting claims, at one instant. Changes nothing.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
--
-- Returns  a flat list: the server's time in µs; the remaining lease in ms (-1: no end, -2: not locked); the number
--          of elements of the lock's hash;
--          these elements, field and value in turn; the elements of the waiters' hash, field and value in turn; or an
--          error that begins with WRONGKIND
local time = redis.call('time')
local result = { time[1] * 1000000 + time[2], redis.call('pttl', KEYS[1]) }
local lock = redis.call('hgetall', KEYS[1])
if redis.call('hexists', KEYS[1], 'mode') == 1 then
  return redis.error_reply('WRONGKIND read/write lock')
end
result[3] = #lock
for _, element in ipairs(lock) do
  result[#result + 1] = element
end
-- A key of another type hides the waiting claims alone.
for _, element in ipairs(redis.pcall('hgetall', KEYS[2])) do
  result[#result + 1] = element
end
return result
