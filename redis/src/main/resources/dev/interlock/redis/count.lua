-- The count of a latch and who waits for zero, at one instant. Changes nothing.
--
-- KEYS[1]  the latch
-- KEYS[2]  who waits
--
-- Returns  a flat list: the server's time in µs; the count; the elements of the waiters' hash, field and value in turn
local time = redis.call('time')
local result = { time[1] * 1000000 + time[2], tonumber(redis.call('hget', KEYS[1], 'count')) or 0 }
for _, element in ipairs(redis.call('hgetall', KEYS[2])) do
  result[#result + 1] = element
end
return result
