/**
 * One command to Redis, and its reply.
 *
 * <p>Begin with {@link dev.interlock.redis.command.Command}: it encodes itself for Lettuce, and is the future that the
 * caller holds. {@code PlainCommand} is one of Redis's own commands, {@code AskingCommand} one that is redirected with
 * {@code ASK}. {@code Script} has the texts of the Lua scripts, which lie beside it among the resources. {@code Reply}
 * takes in any reply, {@code Redirect} reads the errors that say to ask elsewhere or later, and {@code Failures} makes
 * exceptions of the others. {@code Node} is what a command knows of the server that it was sent to.
 */
@NullMarked
package dev.interlock.redis.command;

import org.jspecify.annotations.NullMarked;
