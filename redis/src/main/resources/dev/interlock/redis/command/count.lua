-- Reads the count of a latch and the waiting claims, at one instant. Changes nothing.
--
-- KEYS[1]  the latch
-- KEYS[2]  the waiting claims
--
-- Returns  a flat list: the server's time in µs; the count; the elements of the waiters' hash, field and value in
--          turn
local time = redis.call('time')
local count = math.min(tonumber(string.match(redis.call('hget', KEYS[1], 'count') or '', '^%d+$')) or 0, 2147483647)
local result = { time[1] * 1000000 + time[2], count }
-- A key of another type hides the waiting claims alone.
for _, element in ipairs(redis.pcall('hgetall', KEYS[2])) do
  result[#result + 1] = element
end
return result
