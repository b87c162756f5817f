-- Sets the leases of many claims anew.
--
-- KEYS     for each claim: the lock, its last fence
-- ARGV     for each claim: owner, lease in ms, life of the fence in ms
--
-- Returns  one letter for each claim, in order: H it is held and renewed, - it is not held
--
-- A key of another type is somebody else's: it must not fail the whole batch, so the question is asked with pcall.
local result = {}
for i = 1, #KEYS / 2 do
  local lock, a = KEYS[2 * i - 1], 3 * i - 2
  if redis.pcall('hexists', lock, ARGV[a]) == 1 then
    redis.call('pexpire', lock, ARGV[a + 1])
    redis.call('pexpire', KEYS[2 * i], ARGV[a + 2])
    result[i] = 'H'
  else
    result[i] = '-'
  end
end
return table.concat(result)
