-- Sets the leases of many claims anew.
--
-- KEYS     for each claim: the lock, its last fence
-- ARGV     for each claim: owner, lease in ms, life of the fence in ms
--
-- In a cluster the keys may be of many slots, which KEYS must not be: then there are none, and ARGV begins with the keys.
--
-- Returns  one letter for each claim, in order: H it is held and renewed, - it is not held, E it is elsewhere in the cluster
--
-- A key of another type is somebody else's: it must not fail the whole batch, so the question is asked with pcall.
local keys, claims, skip = KEYS, #KEYS / 2, 0
if claims == 0 then
  keys, claims, skip = ARGV, #ARGV / 5, #ARGV / 5 * 2
end
local result = {}
for i = 1, claims do
  local lock, a = keys[2 * i - 1], skip + 3 * i - 2
  local held = redis.pcall('hexists', lock, ARGV[a])
  if held == 1 then
    redis.call('pexpire', lock, ARGV[a + 1])
    redis.pcall('pexpire', keys[2 * i], ARGV[a + 2])
    result[i] = 'H'
  elseif type(held) == 'table' and string.find(held.err, 'non local key', 1, true) then
    result[i] = 'E'
  else
    result[i] = '-'
  end
end
return table.concat(result)
