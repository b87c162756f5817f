-- Part of the scripts that end a claim: takes the longest waiting claim whose client lives off the list, and tells that client.
--
-- wake(waiters, name, ended, client)
--   waiters  the key with those who wait
--   name     the lock, as the message says it
--   ended    an owner that is not to be woken, and off the list afterwards
--   client   a client that is not to be woken; nil: none
-- Returns  1  a client has been told
--          0  nobody waits
--          -1 somebody waits, but this user may not publish
--
-- A client that nobody hears is dead, and so are entries past their deadline: they leave the list. A message is published only if somebody waits. It is
-- the last thing done, and its failure is caught: the lock is free already, and a waiter that hears nothing asks again by itself.
local function wake(waiters, name, ended, client)
  if redis.call('exists', waiters) == 0 then
    return 0
  end
  local entries = redis.call('hgetall', waiters)
  local time = redis.call('time')
  local now = time[1] * 1000000 + time[2]
  local waiting = {}
  for i = 1, #entries, 2 do
    local since, deadline = string.match(entries[i + 1], '^(%-?%d+) (%d+) ')
    if since and tonumber(deadline) > now and entries[i] ~= ended then
      local waiter = string.match(entries[i], '^(.*):') or entries[i]
      if waiter ~= client then
        waiting[#waiting + 1] = { tonumber(since), entries[i], waiter }
      end
    else
      redis.call('hdel', waiters, entries[i])
    end
  end
  table.sort(waiting, function(a, b)
    return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
  end)
  for _, entry in ipairs(waiting) do
    redis.call('hdel', waiters, entry[2])
    local heard = redis.pcall('publish', 'interlock_inbox:' .. entry[3], name)
    if type(heard) == 'table' then
      return -1
    end
    if heard > 0 then
      return 1
    end
  end
  return 0
end
