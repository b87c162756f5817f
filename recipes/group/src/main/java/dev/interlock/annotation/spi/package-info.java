/**
 * What {@link dev.interlock.annotation.Locked} means, for frameworks that intercept calls.
 *
 * <pre>
 *   LockedCalls            runs a Call with what a Framework has
 *     SynchronousLocking     in the calling thread
 *     StageLocking           until a stage completes
 *     ReactiveLocking        for each subscription; the only class that needs Reactor
 *       Grip                   how a call without a thread of its own gets and ends its lease
 *     Locking                what the three share
 *   LockedOperation        one annotation on one method, parsed and checked
 *     Expressions            the language of its texts, with NameText for what may be in a name
 *     ResultForms            when the work of a method is over, with the ResultTypes of the framework
 *   CallerTransaction      keeps the locks of the methods that run in it, by KeptLease and SharedHold
 *   RunningMethods         refuses and awaits methods, for the end of an application
 * </pre>
 *
 * <p>A framework implements {@link dev.interlock.annotation.spi.Call}, {@link dev.interlock.annotation.spi.Framework},
 * {@link dev.interlock.annotation.spi.Expressions} and, if it has publishers or suspending functions,
 * {@link dev.interlock.annotation.spi.ResultTypes}. At its start it makes a
 * {@link dev.interlock.annotation.spi.LockedOperation} for each annotation of each method that it can intercept, and
 * refuses the others.
 */
@NullMarked
package dev.interlock.annotation.spi;

import org.jspecify.annotations.NullMarked;
