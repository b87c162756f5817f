package dev.interlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.spi.Attempt;
import dev.interlock.spi.Claim;
import dev.interlock.spi.Command;
import dev.interlock.spi.LockId;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.OwnerId;
import dev.interlock.testkit.fuzz.Sane;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** P28: the server's own log shows that every right is used which docs/redis.md demands. */
class EachRightIsNeededTest {

    /** A client asks for it only if a channel is no longer wanted, in a cluster or with Redisson's channels. */
    private static final String WITHOUT_WAITING = "+unsubscribe";

    private static final String IN_THE_BACKGROUND = "+subscribe";

    @Test
    void P28_aRightThatIsTakenAwayIsMissed() throws Exception {
        try (LeastRights least = new LeastRights()) {
            List<String> needless = new ArrayList<>();
            List<String> rights = Stream.of(LeastRights.documented().split(" ", -1))
                    .filter(word -> word.startsWith("+"))
                    .toList();
            assertThat(rights).hasSizeGreaterThan(15);
            for (String right : rights) {
                String command = right.substring(1);
                String user = "less";
                LeastRights.grant(
                        least.server, user, LeastRights.documented() + " -" + command.replaceFirst("\\|.*", ""));
                least.server.command("SCRIPT", "FLUSH");
                least.server.command("ACL", "LOG", "RESET");
                use(LeastRights.uri(user, least.server.port()), least.uri());
                if (right.equals(IN_THE_BACKGROUND)) {
                    await().until(() -> {
                        if (isMissed(least.server, command, user)) {
                            return true;
                        }
                        // That client may have been closed before it came to this.
                        least.server.command("FLUSHALL");
                        use(LeastRights.uri(user, least.server.port()), least.uri());
                        return false;
                    });
                } else if (!isMissed(least.server, command.replaceFirst("\\|.*", ""), user)
                        && !right.equals(WITHOUT_WAITING)) {
                    needless.add(right);
                }
                least.server.command("FLUSHALL");
            }
            least.server.command("ACL", "LOG", "RESET");
            assertThat(needless).as("rights that nothing needs").isEmpty();
        }
    }

    /** Whether the server's log says that this user was refused this command. */
    private static boolean isMissed(RedisServer server, String command, String user) {
        List<String> words = server.list("ACL", "LOG");
        for (int i = words.indexOf("object"); i >= 0 && i < words.size() - 3; i++) {
            if (words.get(i).equals("object")
                    && (words.get(i + 1).equals(command) || words.get(i + 1).startsWith(command + "|"))
                    && words.get(i + 3).equals(user)) {
                return true;
            }
        }
        return false;
    }

    /** Every verb of every kind, by a user with fewer rights beside one with all. */
    private static void use(String uri, String whole) throws Exception {
        try (Probe less = new Probe(uri);
                Probe all = new Probe(whole)) {
            Claim held = less.claim("least");
            Sane.answer(less.store.acquire(held));
            Sane.answer(less.store.acquire(held));
            Sane.answer(less.store.renew(List.of(held)));
            Claim waiting = less.claim("busy").waiting(Duration.ZERO);
            all.hold("busy");
            Sane.answer(less.store.acquire(waiting));
            Sane.answer(less.store.acquire(waiting));
            Sane.answer(less.store.release(waiting));
            Claim queued = all.claim("least").inMode(Mode.fair()).waiting(Duration.ZERO);
            if (Sane.answer(all.store.acquire(queued)) instanceof Attempt.Busy) {
                all.busy(queued);
            }
            Sane.answer(less.store.release(held));
            all.release(queued);
            for (Claim claim : List.of(
                    less.claim("fair").inMode(Mode.fair()),
                    less.claim("shared", LockKind.READ_WRITE, Mode.shared()),
                    less.claim("permits", LockKind.SEMAPHORE, new Mode.Permits(1, 2)),
                    less.claim("latch", LockKind.LATCH, new Mode.AwaitZero()))) {
                Sane.answer(less.store.acquire(claim));
                Sane.answer(less.store.renew(List.of(claim)));
                Sane.answer(less.store.inspect(claim.id()));
                Sane.answer(less.store.release(claim.byForce()));
            }
            Sane.answer(less.store.execute(less.command("latch", new Command.SetCount(1))));
            Sane.answer(less.store.execute(less.command("latch", new Command.CountDown())));
            Sane.answer(less.store.inspect(LockId.lock("least")));
            Sane.answer(less.store.list("", 1));
            Sane.answer(less.store.release(
                    Claim.of(LockId.lock("none"), OwnerId.of(less.id, 99), Probe.LEASE, Probe.PARTY)));
        }
    }
}
