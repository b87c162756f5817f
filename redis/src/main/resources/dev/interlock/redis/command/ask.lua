-- Asks for a share or the whole of a read/write lock, or for permits of a semaphore, in the order of arrival. Follows readwrite.lua or semaphore.lua.
--
-- KEYS[1]  the holders
-- KEYS[2]  the last fence of the name
-- KEYS[3]  who waits
-- KEYS[4]  read/write: the lock
-- ARGV[1]  name
-- ARGV[2]  owner
-- ARGV[3]  mode, as wake.lua has it
-- ARGV[4]  lease, in ms
-- ARGV[5]  life of the fence, in ms
-- ARGV[6]  party: host, pid, application, thread; without line breaks
-- ARGV[7]  how long the claim has waited, in µs; '': it is not to be listed
-- ARGV[8]  life of an entry among those who wait, in ms: in a quarter of it the claim is to ask again
-- ARGV[9]  owner of an earlier claim of the same client, to be ended first; '': none
-- ARGV[10] semaphore: the capacity, if the store knows of none; read/write: what the keys of shares begin with
-- ARGV[11] read/write: channel on which Redisson clients wait; '': none
-- ARGV[12] the end of the entry among those who wait, as wake.lua has it: ' @<n>' if the client's inbox is a sharded channel, else ''
--
-- Returns  as acquire.lua
--
-- What makes room tells those who fit now: the end of the earlier claim, a lease that was found to be over, a claim that wants less than it held, or
-- than it waited for. So does a refusal, as a wake may have been lost.
prefix = ARGV[10]
local owner, mode = ARGV[2], ARGV[3]
local now = micros()
local state = load(now)
if state.err then
  return state
end
local living = line(KEYS[3], now, ARGV[9])
-- Whether the earlier claim was held or stood in line before others, it is out of their way.
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
  -- Only one who shares and wants the whole may be refused: it would have to wait for itself.
  granted = mode ~= 'f' or fits(mode, count(state))
else
  granted = isTurn(living, owner, since, mode, count(state))
end
local fence = granted and (mine and mine.fence > 0 and mine.fence or nextFence(KEYS[2], now, ARGV[5]))
if granted and not fence then
  if ended then
    -- It has ended all the same.
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
    -- It waited for the whole, say, and its client shares now: those behind it that waited for the same reason fit, too.
    room = room or living[owner].mode ~= mode
  end
  redis.call('hdel', KEYS[3], owner)
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
