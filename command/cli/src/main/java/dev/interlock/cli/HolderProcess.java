package dev.interlock.cli;

import dev.interlock.LockStatus.Holder;
import dev.interlock.Party;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether the processes that are said to hold a lock are there, as far as {@link LocalHost} knows. */
final class HolderProcess {

    /** By how much a lock may seem to be older than its process: both are counted back from now. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private static final int MOST = 20;

    private HolderProcess() {}

    /** What to say of these holders; nothing of those whose process is there, or cannot be known. */
    static List<String> remarks(List<Holder> holders, Instant now) {
        return holders.stream()
                .map(holder -> remark(holder, now))
                .flatMap(Optional::stream)
                .distinct()
                .limit(MOST)
                .toList();
    }

    /** As {@link #remarks}, of one. */
    static Optional<String> remark(Holder holder, Instant now) {
        Party party = holder.party();
        if (holder.isLeft() || !LocalHost.has(party)) {
            return Optional.empty();
        }
        Optional<ProcessHandle> process = ProcessHandle.of(party.pid());
        if (process.isEmpty()) {
            return Optional.of("its process " + party.pid()
                    + " is not alive on this host: it has ended, unless it is in a container");
        }
        Instant since = now.minus(holder.heldFor());
        return process.get()
                .info()
                .startInstant()
                .filter(start -> start.isAfter(since.plus(TOLERANCE)))
                .map(start -> "process " + party.pid()
                        + " on this host has started since: it is another, unless the holder is in a container");
    }
}
