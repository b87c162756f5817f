package dev.interlock.engine;

import dev.interlock.LockObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The settings of a client; the builder documents and checks them. */
public record EngineConfig(
        String application,
        Duration storeTimeout,
        Duration attemptTimeout,
        Duration pollCap,
        Duration closeTimeout,
        List<LockObserver> observers,
        @Nullable Executor callbackExecutor) {}
