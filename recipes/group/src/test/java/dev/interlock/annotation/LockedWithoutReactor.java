package dev.interlock.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.Interlock;
import dev.interlock.annotation.spi.ResultTypes;
import java.util.concurrent.CompletableFuture;

/** What runs where the class path lacks Reactor. */
public final class LockedWithoutReactor {

    private LockedWithoutReactor() {}

    /** One method for each form that the JDK has. */
    interface Plain {

        String run();

        CompletableFuture<String> stage();
    }

    record Locking(String result) implements Plain {

        @Override
        @Locked("plain")
        public String run() {
            return result;
        }

        @Override
        @Locked("plain")
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture(result);
        }
    }

    /** Calls locked methods that return this. */
    public static void run(String result) {
        assertThatThrownBy(() -> Class.forName("org.reactivestreams.Publisher"))
                .isInstanceOf(ClassNotFoundException.class);
        try (Interlock interlock = Interlock.inMemory()) {
            Plain plain = new PlainProxies(interlock, ResultTypes.OF_THE_JDK).proxy(Plain.class, new Locking(result));
            assertThat(plain.run()).isEqualTo(result);
            assertThat(plain.stage().join()).isEqualTo(result);
            assertThat(interlock.administration().list("", 10)).isEmpty();
        }
    }
}
