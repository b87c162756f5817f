/**
 * Helpers that several stores share. Nothing here knows a particular store.
 *
 * <ul>
 *   <li>URIs: a store describes its URI with a {@link dev.interlock.support.UriForm}, and
 *       {@link dev.interlock.support.StoreUri} parses it into {@link dev.interlock.support.Credentials},
 *       {@link dev.interlock.support.Host}s, a path, and {@link dev.interlock.support.UriOptions}. A URI that names a
 *       file uses {@code UriOptions} alone. {@link dev.interlock.support.PercentEncoding} serves both.
 *   <li>Threads: {@link dev.interlock.support.SerialExecutor} runs the requests to a store one after the other, and
 *       {@link dev.interlock.support.DaemonThreads} creates any other thread. A store whose client calls back runs
 *       everything on an {@link dev.interlock.support.EventLoop}, and follows answers with
 *       {@link dev.interlock.support.Futures}.
 *   <li>Names of servers: {@link dev.interlock.support.HostNames} resolves them anew for each connection.
 *   <li>Sessions: {@link dev.interlock.support.SessionTether} says how long one is certain to live, and
 *       {@link dev.interlock.support.SessionClaim} is a claim that one keeps alive, in the books of its client, the
 *       {@link dev.interlock.support.SessionClaims}.
 *   <li>Polls: {@link dev.interlock.support.Polling} computes the delay before a waiting claim asks the store again,
 *       from the {@link dev.interlock.support.Outlook} of the claim on its name.
 *   <li>Diagnosis: a store that is {@link dev.interlock.support.Diagnosable} collects
 *       {@link dev.interlock.support.Finding}s about its server in an {@link dev.interlock.support.Examination}.
 * </ul>
 *
 * <p>{@code dev.interlock.support.rules} has the rules of a name, for stores that decide in Java.
 */
@NullMarked
package dev.interlock.support;

import org.jspecify.annotations.NullMarked;
