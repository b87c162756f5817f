-- Ends an earlier claim of the same client and acquires a new one, which gives other clients their turn in one round
-- trip. Follows wake.lua; acquire.lua follows.
--
-- KEYS, ARGV[1..7] and the result are those of acquire.lua, but ARGV[5] may be '' for absent, and besides:
-- ARGV[8]  owner of the earlier claim
-- ARGV[9]  channel on which Redisson clients wait; absent: none
--
-- If the new claim can wait, and a claim of another client waits and can be woken, that one goes first, and the new
-- claim is listed behind it. The reply then is -100: ask again in 100 ms, in case the woken client does not come.
-- Otherwise the new claim is granted at once.
if ARGV[5] == '' then
  ARGV[5] = nil
end
if redis.call('hexists', KEYS[1], ARGV[8]) == 1 then
  redis.call('del', KEYS[1])
  if ARGV[9] then
    redis.pcall('publish', ARGV[9], '0')
  end
  local client = string.match(ARGV[1], '^(.*):') or ARGV[1]
  if ARGV[5] and redis.call('exists', KEYS[3]) == 1 and wakeFree(KEYS[3], KEYS[1], ARGV[8], client) > 0 then
    local time = redis.call('time')
    local now = time[1] * 1000000 + time[2]
    redis.call('hset', KEYS[3], ARGV[1], string.format('%.0f %.0f ', now, now + ARGV[6] * 1000) .. ARGV[4] .. ARGV[7])
    live(KEYS[3], ARGV[6], ARGV[1])
    return -100
  end
else
  unlist(KEYS[3], ARGV[8])
end
