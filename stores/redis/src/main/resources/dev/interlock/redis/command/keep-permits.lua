-- Returns some of the permits of a holder, who keeps the others and the lease. Follows semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the last fence of the name; not used
-- KEYS[3]  the waiting claims
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  how many permits the holder keeps; nothing changes if there are no more than that
--
-- Returns  n > 0  the fence of the holder
--          -100   the owner holds nothing
local now = micros()
local state = load(now)
if state.err then
  return state
end
for _, entry in ipairs(state.held) do
  if entry.owner == ARGV[2] then
    if tonumber(ARGV[3]) < (tonumber(string.sub(entry.mode, 2)) or 0) then
      entry.mode = 'p' .. ARGV[3]
      write(entry)
      wake(KEYS[3], KIND, ARGV[1], line(KEYS[3], now), count(state))
    end
    return entry.fence
  end
end
return -100
