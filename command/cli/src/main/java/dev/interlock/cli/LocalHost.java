package dev.interlock.cli;

import dev.interlock.Party;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this machine knows of the processes of a store: those of its own host name. A container, or another machine, may
 * have that name, and has other processes.
 */
final class LocalHost {

    private static final Path PROCESSES = Path.of("/proc");

    /** Names that many machines have. */
    private static final List<String> COMMON = List.of("", "localhost", "localhost.localdomain", "unknown");

    /** The commands that hold a lock for as long as another program runs. */
    private static final Set<String> HOLDING = Set.of("run", "lead");

    private static final String MAIN_CLASS = LocalHost.class.getPackageName() + ".Main";

    private static final @Nullable String NAME = name();

    private LocalHost() {}

    /** The engine tells others this name. Without the file nothing is known. */
    private static @Nullable String name() {
        try {
            return Files.readString(PROCESSES.resolve("sys/kernel/hostname")).trim();
        } catch (IOException e) {
            return null;
        }
    }

    /** Whether the process is to be looked for here. */
    static boolean has(Party party) {
        return party.pid() > 0
                && party.host().equals(NAME)
                && !COMMON.contains(party.host())
                // Where the first process is hidden, those of other users are, too.
                && ProcessHandle.of(1).isPresent();
    }

    /** The processes of {@code interlock run} and {@code lead} under which this one runs. */
    static List<Party> runsAbove(Party party) {
        List<Party> runs = new ArrayList<>();
        Optional<ProcessHandle> above = has(party) ? parent(party.pid()) : Optional.empty();
        while (above.isPresent()) {
            long pid = above.get().pid();
            if (isRun(pid)) {
                runs.add(new Party(party.host(), pid, "", ""));
            }
            above = above.get().parent();
        }
        return runs;
    }

    private static Optional<ProcessHandle> parent(long pid) {
        return ProcessHandle.of(pid).flatMap(ProcessHandle::parent);
    }

    /** Not by {@link ProcessHandle#info}, which reads no more than a page of the arguments: less than a class path. */
    private static boolean isRun(long pid) {
        try {
            byte[] line = Files.readAllBytes(PROCESSES.resolve(pid + "/cmdline"));
            List<String> arguments = List.of(new String(line, StandardCharsets.ISO_8859_1).split("\0"));
            int verb = arguments.indexOf(MAIN_CLASS) + 1;
            return verb > 0 && verb < arguments.size() && HOLDING.contains(arguments.get(verb));
        } catch (IOException e) {
            return false;
        }
    }
}
