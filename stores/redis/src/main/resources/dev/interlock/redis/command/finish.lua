-- Ends a claim of a read/write lock or a semaphore, whether it is held or only listed as waiting; or leaves it to
-- lapse, as lapse.lua does. Follows readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the mark of a release by force
-- KEYS[3]  the waiting claims
-- KEYS[4]  read/write: the lock
-- KEYS     with ARGV[6], the last one: the last fence
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  life of the mark, in ms, for a release by force; '' for one by the owner
-- ARGV[4]  read/write: the prefix of the keys of shares
-- ARGV[5]  read/write: channel on which Redisson clients wait; '': none
-- ARGV[6]  owner of the claim that stays; absent: none
-- ARGV[7]  how long it stays, in ms; with ARGV[6] only
-- ARGV[8]  life of the fence, in ms; with ARGV[6] only
--
-- Returns  as release.lua; 1 also if the claim was left before
--
-- A claim that only waited may have been woken, or have blocked others, so these are woken as well.
prefix = ARGV[4] or ''
local now = micros()
local state = load(now)
if state.err then
  return string.find(state.err, 'TOOMANY', 1, true) and state or 0
end
for _, entry in ipairs(state.held) do
  if entry.owner == ARGV[6] then
    return 1
  end
end
local living = line(KEYS[3], now, ARGV[2])
local ended = drop(state, ARGV[2], ARGV[3] ~= '')
-- For whom there would be room if the claim did not stay.
local taken = count(state)
local sooner = true
if ended and ARGV[6] then
  local lapses = now + ARGV[7] * 1000
  sooner = lapses < ended.ends
  put(state, { owner = ARGV[6], fence = ended.fence, since = ended.since, ends = lapses, party = ended.party,
    mode = ended.mode }, ARGV[7])
  keep(KEYS[#KEYS], ARGV[8])
end
if ended and ARGV[3] ~= '' then
  redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[3])
end
save(state, now)
if ended and not sooner then
  return 1
end
local told = wake(KEYS[3], KIND, ARGV[1], living, taken)
if ended and ARGV[3] ~= '' then
  -- Callers that wait behind the holder in its process are not listed. If their client listens, it learns of it now.
  local client, number = string.match(ARGV[2], '^(.+):(%d+)$')
  if client then
    tell(client, '', KIND .. number .. ':' .. ARGV[1])
  end
end
announce(ARGV[5] or '', ended, state)
if not ended then
  return 0
end
return told < 0 and -1 or 1
