package dev.interlock.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.interlock.LockOptions;
import dev.interlock.Party;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.OwnerId;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes the claims and commands of a client, each with an owner of its own. Thread-safe. */
final class ClaimFactory {

    private static final Path KERNEL_HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    @GuardedBy("ClaimFactory.class")
    private static @Nullable String hostName;

    private final String clientId;
    private final AtomicLong sequence = new AtomicLong();
    private final String application;
    private volatile @Nullable Party party;

    /** @param random makes an id for the client that no other has */
    ClaimFactory(String application, RandomGenerator random) {
        this.application = application;
        this.clientId = new UUID(random.nextLong(), random.nextLong()).toString();
    }

    String clientId() {
        return clientId;
    }

    /** Looks up who this process is: the first time may take long, and must not fall into a request. */
    void prepare() {
        var unused = party();
    }

    Claim newClaim(Request request, String threadName) {
        long number = sequence.incrementAndGet();
        OwnerId owner = request.retains() ? OwnerId.retained(clientId, number) : OwnerId.of(clientId, number);
        Party who = party(request.options(), threadName);
        return Claim.of(request.id(), request.mode(), owner, request.term().length(), who);
    }

    /** @param life how long the store remembers what the command sets */
    Command newCommand(LockId id, Command.Action action, Duration life, LockOptions options, String threadName) {
        OwnerId owner = OwnerId.of(clientId, sequence.incrementAndGet());
        return new Command(id, action, owner, life, party(options, threadName));
    }

    /** A caller of this client, as it is shown to people. */
    Party party(Waiter caller) {
        return party(caller.options(), caller.threadName());
    }

    private Party party(LockOptions options, String threadName) {
        return party().withThread(options.participant().isEmpty() ? threadName : options.participant());
    }

    /** This process, as shown to people who inspect a lock. */
    private Party party() {
        Party known = party;
        if (known == null) {
            known = new Party(hostName(), ProcessHandle.current().pid(), application, "");
            party = known;
        }
        return known;
    }

    /** Looked up once for each process: the resolver may take seconds while the network is down. */
    private static synchronized String hostName() {
        String known = hostName;
        if (known == null) {
            known = findHostName();
            hostName = known;
        }
        return known;
    }

    private static String findHostName() {
        try {
            // Without the network where possible.
            if (Files.isReadable(KERNEL_HOST_NAME)) {
                return Files.readString(KERNEL_HOST_NAME).trim();
            }
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return Party.UNKNOWN.host();
        }
    }
}
