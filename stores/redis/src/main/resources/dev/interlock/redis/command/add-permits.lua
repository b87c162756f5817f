-- Changes the capacity of a semaphore by a number. Holders keep their permits. Follows semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the last fence of the name
-- KEYS[3]  the waiting claims
-- KEYS[4]  the mark of this request
-- ARGV[1]  name
-- ARGV[2]  the number; negative for fewer permits
-- ARGV[3]  how long the capacity of an unused semaphore is kept, in ms
-- ARGV[4]  life of the fence, in ms
-- ARGV[5]  the capacity, if none is stored
-- ARGV[6]  owner of the request
-- ARGV[7]  life of the mark, in ms
--
-- Returns  n > 0  a fence
--          -100   the capacity would be out of range
--
-- A request that is repeated after a lost reply finds its mark, and changes nothing. The mark is written first: a
-- server that is out of memory refuses it, and nothing has been changed.
local now = micros()
local state = load(now)
if state.err then
  return state
end
local living = line(KEYS[3], now)
know(state, living, ARGV[5], now)
local again = redis.call('exists', KEYS[4]) == 1
local capacity = state.capacity + ARGV[2]
if not again and (capacity < 1 or capacity > MOST) then
  return -100
end
local fence = nextFence(KEYS[2], now, ARGV[4])
if not fence then
  return noFence()
end
if not again then
  redis.call('set', KEYS[4], ARGV[6], 'px', ARGV[7])
  state.capacity, state.resized = capacity, now + ARGV[3] * 1000
  save(state, now)
end
wake(KEYS[3], KIND, ARGV[1], living, count(state))
return fence
