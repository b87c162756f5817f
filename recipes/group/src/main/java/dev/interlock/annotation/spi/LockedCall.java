package dev.interlock.annotation.spi;

import java.util.List;
import java.util.stream.Stream;

/**
 * A call of a method and what is around it.
 *
 * @param operations outermost first; at least one
 */
record LockedCall(Call call, List<LockedOperation> operations) {

    /** Whether callers expect an InterruptedException: others must not get what is not declared. */
    boolean declaresInterruption() {
        return Stream.of(call.method().getExceptionTypes())
                .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class));
    }

    /** The method, for messages. */
    String where() {
        return operations.get(0).where();
    }
}
