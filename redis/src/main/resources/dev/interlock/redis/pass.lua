-- The end of release.lua if somebody waits. Follows wake.lua.
--
-- A claim that only waited may have been woken before it gave up. If the lock is free it passes the wake on, or the others would sleep beside it.
if not held then
  if redis.call('exists', KEYS[1]) == 0 then
    wakeFree(KEYS[2], KEYS[1], ARGV[1])
  end
  return 0
end
local woken = wakeFree(KEYS[2], KEYS[1], ARGV[1])
if ARGV[2] then
  redis.pcall('publish', ARGV[2], '0')
end
return woken < 0 and -1 or 1
