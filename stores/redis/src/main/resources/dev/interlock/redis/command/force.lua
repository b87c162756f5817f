-- Ends a claim of a lock by force, and leaves a mark that tells the owner's renewal the cause. Follows wake.lua.
--
-- KEYS[1]  the lock
-- KEYS[2]  the waiting claims
-- KEYS[3]  the mark
-- ARGV[1]  owner of the claim to end
-- ARGV[2]  life of the mark, in ms
-- ARGV[3]  channel on which Redisson clients wait; absent: none
--
-- Returns  as release.lua
--
-- Deletes the whole hash, whatever count Redisson has in the owner's field; but not that of a read/write lock, which
-- may have other holders, nor a hash of another program: an owner ends with a colon and a number, and has a count.
local holds = redis.call('hget', KEYS[1], ARGV[1])
local isClaim = holds and string.find(holds, '^%d+$') and string.find(ARGV[1], '^.+:%d+$')
if not isClaim or redis.call('hexists', KEYS[1], 'mode') == 1 then
  unlist(KEYS[2], ARGV[1])
  return 0
end
redis.call('del', KEYS[1])
redis.call('set', KEYS[3], ARGV[1], 'px', ARGV[2])
local woken = wakeFree(KEYS[2], KEYS[1], ARGV[1])
-- Callers that wait behind the holder in its process are not listed. If their client listens, it learns of it now.
local client, number = string.match(ARGV[1], '^(.+):(%d+)$')
tell(client, '', 'L' .. number .. ':' .. KEYS[1])
if ARGV[3] then
  redis.pcall('publish', ARGV[3], '0')
end
return woken < 0 and -1 or 1
