/**
 * The real engine and the real rules of a name on simulated time: one seed, one run.
 *
 * <pre>
 *   {@link dev.interlock.simulation.Plan}       what happens, made of a seed: the setting, the calls, the faults
 *   {@link dev.interlock.simulation.World}      carries a plan out; has the timeline, the server and the processes
 *   {@link dev.interlock.simulation.Timeline}   the only clock and the only executor
 *   {@link dev.interlock.simulation.SimulatedProcess}    a client: its clock, its engine, its threads
 *   {@link dev.interlock.simulation.Wire}       its store: what it sends passes here to the server, or does not
 *   {@link dev.interlock.simulation.Server}     the rules of a name, and what a server can suffer
 *   {@link dev.interlock.simulation.Caller}     code of a user: asks, works, releases
 *   {@link dev.interlock.simulation.History}    what was seen from outside
 *   {@link dev.interlock.simulation.Checker}    what is wrong with a history
 *   {@link dev.interlock.simulation.Shrinker}   a smaller plan that fails in the same way
 *   {@link dev.interlock.simulation.Drawing}    a history, drawn in time
 *   {@link dev.interlock.simulation.Search}     many seeds, on all cores: the command
 * </pre>
 *
 * <p>A run is in one thread. Nothing in it reads a clock, an identity hash or a random number that is not made of the
 * seed.
 */
@NullMarked
package dev.interlock.simulation;

import org.jspecify.annotations.NullMarked;
