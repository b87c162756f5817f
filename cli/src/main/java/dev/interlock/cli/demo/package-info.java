/**
 * The demonstration: real processes that share a file, a lock between them, and what happens when one is killed and
 * another stopped. The processes talk to the one that started them in lines over their standard streams, described at
 * {@link dev.interlock.cli.demo.Worker}.
 */
@NullMarked
package dev.interlock.cli.demo;

import org.jspecify.annotations.NullMarked;
