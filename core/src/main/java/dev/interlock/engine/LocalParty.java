package dev.interlock.engine;

import dev.interlock.Party;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * This process, as shown to people who inspect a lock. The host name is looked up on first use, without the network
 * where possible.
 */
final class LocalParty {

    private static final Path KERNEL_HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final String application;
    private volatile @Nullable Party party;

    LocalParty(String application) {
        this.application = application;
    }

    Party party() {
        Party known = party;
        if (known == null) {
            known = new Party(HostName.VALUE, ProcessHandle.current().pid(), application, "");
            party = known;
        }
        return known;
    }

    /** Looked up once for each process: the resolver may take seconds while the network is down. */
    private static final class HostName {
        static final String VALUE = find();

        private static String find() {
            try {
                if (Files.isReadable(KERNEL_HOST_NAME)) {
                    return Files.readString(KERNEL_HOST_NAME).trim();
                }
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return Party.UNKNOWN.host();
            } catch (IOException e) {
                return Party.UNKNOWN.host();
            }
        }
    }
}
