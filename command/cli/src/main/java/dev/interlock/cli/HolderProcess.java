package dev.interlock.cli;

import dev.interlock.LockStatus.Holder;
import dev.interlock.Party;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the processes that are said to hold a lock are there, as far as this machine can know: those of its own host
 * name. A container, or another machine, may have that name, and has other processes.
 */
final class HolderProcess {

    /** The engine tells others this name. Without the file nothing is said. */
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    /** Names that many machines have. */
    private static final List<String> COMMON = List.of("", "localhost", "localhost.localdomain", "unknown");

    /** By how much a lock may seem to be older than its process: both are counted back from now. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private static final int MOST = 20;

    private HolderProcess() {}

    /** What to say of these holders; nothing of those whose process is there, or cannot be known. */
    static List<String> remarks(List<Holder> holders, Instant now) {
        String here = hostName();
        // Where the first process is hidden, those of other users are, too.
        if (here == null || ProcessHandle.of(1).isEmpty()) {
            return List.of();
        }
        return holders.stream()
                .map(holder -> remark(holder, here, now))
                .flatMap(Optional::stream)
                .distinct()
                .limit(MOST)
                .toList();
    }

    private static Optional<String> remark(Holder holder, String here, Instant now) {
        Party party = holder.party();
        if (party.pid() <= 0 || holder.isLeft() || !party.host().equals(here) || COMMON.contains(here)) {
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

    private static @Nullable String hostName() {
        try {
            return Files.readString(HOST_NAME).trim();
        } catch (IOException e) {
            return null;
        }
    }
}
