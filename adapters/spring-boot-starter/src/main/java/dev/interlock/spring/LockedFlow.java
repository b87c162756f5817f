package dev.interlock.spring;

import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;

/** Flows of Kotlin, on whose types nothing else depends: an application may do without them. */
final class LockedFlow {

    static final String TYPE = "kotlinx.coroutines.flow.Flow";

    private LockedFlow() {}

    /**
     * A flow that is made of a publisher asks for one item after the other. Otherwise it would take the last ones into
     * a buffer, and the publisher, with its lock, would end before they are collected.
     */
    static Object stepping(Object flow) {
        return FlowKt.buffer((Flow<?>) flow, 0, BufferOverflow.SUSPEND);
    }
}
