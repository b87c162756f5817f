-- Sets a value, unless a later holder of the lock has set it before.
--
-- KEYS[1]  the value
-- KEYS[2]  the largest token seen, and its owner
-- ARGV[1]  token: a positive decimal number without leading zeros
-- ARGV[2]  owner; may be empty
-- ARGV[3]  the new value
--
-- Returns  a list: 1 set, or 0 refused; the largest token seen, as text; or an error that begins with BADGUARD, and says
--          what stands in the place of the token
--
-- Tokens exceed the exact numbers of Lua, so they are compared as texts, first by length. The token does not expire
-- while the value exists, since a writer may be late by any time. What cannot be read refuses everybody: it may have
-- been a larger token.
local token, owner = ARGV[1], ARGV[2]

-- What a text is that begins with no token of 64 bits.
local function kind(text)
  if text == '' then
    return 'an empty text'
  elseif string.find(text, '^-%d') then
    return 'a negative number'
  elseif string.find(text, '^%d') then
    return 'a number that is no token'
  end
  return 'a text'
end

local seen = redis.call('get', KEYS[2])
if seen then
  local last, by = string.match(seen, '^(%d+) (.*)$')
  if not last then
    last, by = string.match(seen, '^%d+$'), ''
  end
  local isToken = last and #last <= 19 and (#last < 19 or last <= '9223372036854775807')
      and string.find(last, '^[1-9]')
  if not isToken then
    return redis.error_reply('BADGUARD ' .. kind(seen))
  end
  local less = #token < #last or #token == #last and token < last
  if less or token == last and owner ~= by then
    return { 0, last }
  end
end
redis.call('set', KEYS[1], ARGV[3])
redis.call('set', KEYS[2], token .. ' ' .. owner)
return { 1, token }
