-- Sets the capacity of a semaphore. Holders keep their permits. Follows semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the last fence of the name
-- KEYS[3]  the waiting claims
-- ARGV[1]  name
-- ARGV[2]  capacity
-- ARGV[3]  how long the capacity of an unused semaphore is kept, in ms
-- ARGV[4]  life of the fence, in ms
--
-- Returns  a fence
local now = micros()
local state = load(now)
if state.err then
  return state
end
local living = line(KEYS[3], now)
local fence = nextFence(KEYS[2], now, ARGV[4])
if not fence then
  return noFence()
end
state.capacity, state.resized = tonumber(ARGV[2]), now + ARGV[3] * 1000
save(state, now)
wake(KEYS[3], KIND, ARGV[1], living, count(state))
return fence
