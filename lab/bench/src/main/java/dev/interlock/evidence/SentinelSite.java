package dev.interlock.evidence;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.server.RedisSentinels;
import dev.interlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;

/** A Redis with two replicas, and three Sentinels. */
final class SentinelSite extends Site {

    private static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    private final RedisSentinels sentinels = RedisSentinels.start();
    private final boolean isStopped;
    private RedisServer struck = sentinels.master();

    SentinelSite(Setup setup) {
        isStopped = setup == Setup.SENTINELS_STALE;
    }

    @Override
    String uri(int place) {
        return sentinels.uri();
    }

    @Override
    List<String> leftovers() {
        return sentinels.master().list("KEYS", "*");
    }

    /** The Sentinels are quick only now: otherwise a machine that stalls for a second would strike, too. */
    @Override
    boolean failOver() {
        struck = sentinels.master();
        sentinels.downAfter(DOWN_AFTER);
        if (isStopped) {
            struck.stop();
        } else {
            struck.kill();
        }
        sentinels.awaitNewMaster(struck);
        sentinels.downAfter(Patience.FULL);
        if (isStopped) {
            struck.cont();
            // The Sentinels tell it ten seconds later.
            return struck.command("ROLE").startsWith("master");
        }
        return true;
    }

    /** As the Sentinels do it ten seconds later: it has to follow, and its clients lose their connections. */
    @Override
    void repair() {
        if (!isStopped) {
            struck.restart();
        }
        struck.command(
                "REPLICAOF", "127.0.0.1", Integer.toString(sentinels.master().port()));
        struck.command("CLIENT", "KILL", "TYPE", "normal");
        struck.command("CLIENT", "KILL", "TYPE", "pubsub");
        struck.awaitReplication();
    }

    @Override
    public void close() {
        sentinels.close();
    }
}
