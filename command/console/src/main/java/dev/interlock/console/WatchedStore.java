package dev.interlock.console;

import dev.interlock.Interlock;
import java.util.function.Function;

/**
 * A store that a console looks at.
 *
 * @param uri its URI without a password, which is shown and names it in the history
 * @param client a client of it, which the console closes
 * @param canAsk whether the store can ask holders to let go
 * @param explanation tells people what an exception of the client means, without a password
 */
public record WatchedStore(
        String uri, Interlock client, boolean canAsk, Function<RuntimeException, String> explanation) {}
