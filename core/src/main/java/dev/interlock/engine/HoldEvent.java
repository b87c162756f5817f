package dev.interlock.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A lease, from its grant to its release. */
@Name("dev.interlock.Hold")
@Label("Lock held")
@Category("Interlock")
@Description("A lease of a distributed lock, from its grant to its release")
@StackTrace(false)
final class HoldEvent extends Event {

    private static final HoldEvent PROBE = new HoldEvent();

    @Label("Lock name")
    @Nullable
    String name;

    @Label("Fencing token")
    long token;

    @Label("Outcome")
    @Nullable
    String outcome;

    /** Begins an event; null if it is not enabled in any recording. */
    static @Nullable HoldEvent begin(String name, long token) {
        if (!PROBE.isEnabled()) {
            return null;
        }
        HoldEvent event = new HoldEvent();
        event.name = name;
        event.token = token;
        event.begin();
        return event;
    }

    void finish(String how) {
        outcome = how;
        commit();
    }
}
