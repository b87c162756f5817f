package dev.interlock.support.rules;

import java.util.List;

/**
 * What follows from an event.
 *
 * @param state the new state; the object that was given if there is nothing to write
 * @param answer the answer to the client
 * @param woken the waiters whose turn it is, in their order. The store wakes those that it can reach; the others poll
 */
public record Decision<T>(NameState state, T answer, List<Waiter> woken) {}
