/** Real servers for tests, started on loopback and free ports, and a proxy that breaks the network in front of them. */
@NullMarked
package dev.interlock.testkit.server;

import org.jspecify.annotations.NullMarked;
