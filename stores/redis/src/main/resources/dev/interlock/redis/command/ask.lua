-- Acquires a share or the whole of a read/write lock, or permits of a semaphore, in the order of arrival. Follows
-- readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the last fence of the name
-- KEYS[3]  the waiting claims
-- KEYS[4]  read/write: the lock
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  mode, see wake.lua
-- ARGV[4]  lease, in ms
-- ARGV[5]  life of the fence, in ms
-- ARGV[6]  party: host, pid, application, thread; without line breaks
-- ARGV[7]  how long the claim has waited, in µs; '': do not list it
-- ARGV[8]  life of a waiting claim's entry, in ms; the claim asks again after a quarter of it
-- ARGV[9]  owner of an earlier claim of the same client, which ends first; '': none
-- ARGV[10] semaphore: the capacity, if none is stored; read/write: the prefix of the keys of shares
-- ARGV[11] read/write: channel on which Redisson clients wait; '': none
-- ARGV[12] the end of the waiting claim's entry, see wake.lua: ' @<n>' if the client's inbox is a sharded channel,
--          else ''
--
-- Returns  as acquire.lua
--
-- The script wakes the claims that fit now if there is more room: because the earlier claim ends, a lease has run
-- out, or a claim takes less than it held or waited for. It also does so after a refusal, since a wake may have been
-- lost.
prefix = ARGV[10]
local owner, mode = ARGV[2], ARGV[3]
local now = micros()
local state = load(now)
if state.err then
  return state
end
local living = line(KEYS[3], now, ARGV[9])
-- Whether the earlier claim was held or waited before others, it makes room.
local room = #state.over > 0 or ARGV[9] ~= ''
local ended
if ARGV[9] ~= '' then
  ended = drop(state, ARGV[9])
end
know(state, living, ARGV[10], now)
local mine = without(state.held, owner)
local since = now - (tonumber(ARGV[7]) or 0)
local granted
if mine then
  -- Only a reader that wants to write is refused: it would wait for itself.
  granted = mode ~= 'f' or fits(mode, count(state))
else
  granted = isTurn(living, owner, since, mode, count(state))
end
local fence = granted and (mine and mine.fence > 0 and mine.fence or nextFence(KEYS[2], now, ARGV[5]))
if granted and not fence then
  if ended then
    -- The earlier claim has ended all the same.
    state.held[#state.held + 1] = mine
    save(state, now)
  end
  return noFence()
end
local answer
if granted then
  local entry = {
    owner = owner, mode = mode, party = ARGV[6], ends = now + ARGV[4] * 1000,
    since = mine and mine.since or now, fence = fence,
  }
  if mine then
    keep(KEYS[2], ARGV[5])
    room = room or mine.mode ~= mode
    ended = ended or mine.mode == 'f' and mode == 's' and mine
  elseif living[owner] then
    -- It waited for another mode, such as the whole, and shares now: claims behind it may fit, too.
    room = room or living[owner].mode ~= mode
  end
  unlist(KEYS[3], owner)
  without(living, owner)
  state.fresh = not mine and owner
  put(state, entry, ARGV[4])
  save(state, now)
  answer = entry.fence
else
  if mine then
    state.held[#state.held + 1] = mine
  elseif ARGV[7] ~= '' then
    lineUp(KEYS[3], living, owner, since, now, ARGV[8], ARGV[6], mode, ARGV[12])
  end
  save(state, now)
  answer = -math.ceil(math.min(left(state, now, math.min) or ARGV[8], ARGV[8] / 4))
  room = true
end
if room then
  local told, died = wake(KEYS[3], KIND, ARGV[1], living, count(state), owner)
  if died and not granted then
    answer = -1
  end
end
announce(ARGV[11] or '', ended, state)
return answer
