/**
 * The evidence: locks of this library and of others under the same faults, on real servers.
 *
 * <p>{@link dev.interlock.evidence.Evidence} is the command. For each fault and {@link dev.interlock.evidence.Subject}
 * a {@link dev.interlock.evidence.Trial} starts a server ({@link dev.interlock.evidence.Site}), set up for the fault
 * ({@link dev.interlock.evidence.Setup}), clients in processes of their own ({@link dev.interlock.evidence.ClientMain})
 * and the {@link dev.interlock.evidence.Resource} that they write to, and strikes again and again. All that happens
 * goes into one {@link dev.interlock.evidence.History}. The {@link dev.interlock.evidence.Checker} reads only that.
 */
@NullMarked
package dev.interlock.evidence;

import org.jspecify.annotations.NullMarked;
