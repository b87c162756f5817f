package dev.interlock.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A thread that waited for a lock. */
@Name("dev.interlock.Wait")
@Label("Lock waited for")
@Category("Interlock")
@Description("A thread that asked for a distributed lock, until it had it or gave up")
final class WaitEvent extends Event {

    private static final WaitEvent PROBE = new WaitEvent();

    @Label("Lock name")
    @Nullable
    String name;

    @Label("Acquired")
    boolean acquired;

    /** Begins an event; null if it is not enabled in any recording. */
    static @Nullable WaitEvent begin(String name) {
        if (!PROBE.isEnabled()) {
            return null;
        }
        WaitEvent event = new WaitEvent();
        event.name = name;
        event.begin();
        return event;
    }

    void finish(boolean got) {
        acquired = got;
        commit();
    }
}
