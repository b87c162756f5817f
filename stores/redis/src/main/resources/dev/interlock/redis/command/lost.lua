-- Finds out why claims could not be renewed. Called only for those that renew.lua did not find, so that the renewal
-- itself stays fast.
--
-- KEYS     for each claim: the lock, the mark of a forced release
-- ARGV     for each claim: owner
--
-- Returns  one letter for each claim, in order:
--          H held: an acquire that was on its way has arrived in between, or the server could not answer before. Its
--          lease has not been renewed
--          F released by force
--          T another claim holds the lock
--          D the lock is free
local result = {}
for i = 1, #KEYS / 2 do
  local lock = KEYS[2 * i - 1]
  if redis.pcall('hexists', lock, ARGV[i]) == 1 then
    result[i] = 'H'
  elseif redis.pcall('get', KEYS[2 * i]) == ARGV[i] then
    result[i] = 'F'
  elseif redis.call('exists', lock) == 1 then
    result[i] = 'T'
  else
    result[i] = 'D'
  end
end
return table.concat(result)
