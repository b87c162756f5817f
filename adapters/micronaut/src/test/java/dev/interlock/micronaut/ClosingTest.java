package dev.interlock.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.fixture.LogWatch;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The end of an application while a method runs. */
class ClosingTest {

    private final MemoryStore store = new MemoryStore();

    @Test
    void close_awaitsWhatRuns_andRefusesMore() {
        try (LogWatch log = new LogWatch();
                Interlock elsewhere = Interlock.builder(store.session()).build()) {
            ApplicationContext context = Applications.on(store, Map.of("interlock.close-timeout", "1h"));
            Orders orders = context.getBean(Orders.class);
            CompletableFuture<String> body = new CompletableFuture<>();
            CompletableFuture<String> result = orders.stage("7", () -> body);
            Caller<Boolean> close = Caller.startAction(context::close).awaitBlocked();
            assertThat(elsewhere.lock("order:7").isLocked()).isTrue();
            body.complete("shipped");
            assertThat(close.result()).isTrue();
            assertThat(result.join()).isEqualTo("shipped");
            assertThatThrownBy(() -> orders.skip("7"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closing");
            assertThat(elsewhere.administration().list("", 10)).isEmpty();
            assertThat(log.problems()).isEmpty();
        }
    }

    @Test
    void close_names_whatRunsOn_andKeepsItsLock() {
        try (LogWatch log = new LogWatch();
                Interlock elsewhere = Interlock.builder(store.session()).build()) {
            ApplicationContext context = Applications.on(store, Map.of("interlock.close-timeout", "10ms"));
            CompletableFuture<String> body = new CompletableFuture<>();
            CompletableFuture<String> result = context.getBean(Orders.class).stage("7", () -> body);
            context.close();
            assertThat(log.problems()).anySatisfy(line -> assertThat(line)
                    .contains("Methods with @Locked still run", Orders.class.getName() + ".stage [order:7]"));
            assertThat(elsewhere.lock("order:7").isLocked()).isTrue();
            body.complete("shipped");
            assertThat(result).isDone();
        }
    }
}
