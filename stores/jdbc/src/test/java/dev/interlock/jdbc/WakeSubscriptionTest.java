package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.jdbc.dialect.Dialect;
import dev.interlock.jdbc.wake.WakeListener;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A store that cannot listen for wakes. */
class WakeSubscriptionTest {

    /** Without a thread to spare, locks are granted, and claims poll. */
    @Test
    void listenerThatCannotStart_isNoFailureOfTheClaim() {
        WakeSubscription wakes = new WakeSubscription(
                () -> {
                    throw new SQLException("not asked for");
                },
                "interlock");
        wakes.setReceiver(wake -> {});

        wakes.start(dialect(new Threadless()));

        assertThat(wakes.isListening()).isFalse();
        assertThat(wakes.channel()).isEmpty();
    }

    private static Dialect dialect(WakeListener listener) {
        return (Dialect) Proxy.newProxyInstance(
                Dialect.class.getClassLoader(), new Class<?>[] {Dialect.class}, (self, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("listener");
                    return listener;
                });
    }

    private static final class Threadless implements WakeListener {

        @Override
        public String channel() {
            return "00000000";
        }

        @Override
        public boolean isExpectedToListen() {
            return false;
        }

        @Override
        public boolean isListening() {
            return false;
        }

        @Override
        public boolean isAlive() {
            return false;
        }

        @Override
        public void start() {
            throw new OutOfMemoryError("unable to create native thread, of the test");
        }

        @Override
        public void stop() {
            throw new AssertionError("It has not begun");
        }
    }
}
