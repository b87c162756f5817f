package dev.interlock.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.interlock.testkit.Patience;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names of servers that are looked up while a client closes. */
class HostNameResolversTest {

    private final Logger netty = Logger.getLogger("io.netty");
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Handler watch = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void watchTheLog() {
        netty.addHandler(watch);
    }

    @AfterEach
    void leaveTheLog() {
        netty.removeHandler(watch);
    }

    /** Nobody waits for it any more, and no error is logged. */
    @Test
    void nameThatIsFoundAfterTheEndOfItsExecutor_isDropped() throws Exception {
        for (int i = 0; i < 20; i++) {
            EventExecutor executor = new DefaultEventExecutor();
            var unused = new HostNameResolvers()
                    .getResolver(executor)
                    .resolve(InetSocketAddress.createUnresolved("host-" + i + ".invalid", 7));
            executor.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(Patience.seconds(), TimeUnit.SECONDS);
        }
        await("the look-ups").until(() -> lookUps() == 0);
        assertThat(logged).isEmpty();
    }

    private static long lookUps() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().startsWith(HostNameResolvers.class.getName() + "$")))
                .count();
    }
}
