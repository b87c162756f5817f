-- Sets a value, unless a later holder of the lock has set it before.
--
-- KEYS[1]  the value
-- KEYS[2]  the largest token seen, and its owner
-- ARGV[1]  token: a positive decimal number without leading zeros
-- ARGV[2]  owner; may be empty
-- ARGV[3]  the new value
--
-- Returns  a list: 1 set, or 0 refused; the largest token seen, as text
--
-- Tokens exceed the exact numbers of Lua, so they are compared as texts, first by length. The token does not expire
-- while the value exists, since a writer may be late by any time.
local token, owner = ARGV[1], ARGV[2]
local seen = redis.call('get', KEYS[2])
if seen then
  local last, by = string.match(seen, '^(%d+) ?(.*)$')
  if last then
    local less = #token < #last or #token == #last and token < last
    if less or token == last and owner ~= by then
      return { 0, last }
    end
  end
end
redis.call('set', KEYS[1], ARGV[3])
redis.call('set', KEYS[2], token .. ' ' .. owner)
return { 1, token }
