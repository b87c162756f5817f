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
-- As in inspect.lua.
local size = redis.pcall('hlen', KEYS[2])
local entries = type(size) == 'number' and size > 10000 and {} or redis.pcall('hgetall', KEYS[2])
for i = 1, #entries, 2 do
  if #entries[i] + #entries[i + 1] <= 32768 then
    result[#result + 1] = entries[i]
    result[#result + 1] = entries[i + 1]
  end
end
return result
