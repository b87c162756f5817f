package dev.interlock.redis.command;

import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.LockStore;
import dev.interlock.spi.Printable;
import dev.interlock.spi.StoreRefusal;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandType;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes exceptions that say what to do from the errors of servers and connections. No message contains a password: a
 * server that does not know {@code AUTH} repeats its arguments, and these are cut off.
 */
public final class Failures {

    /** The error of a script whose key belongs to another kind of lock; the kind follows. */
    private static final String WRONG_KIND = "WRONGKIND";

    /** The error of a script that finds no token in a guard; what it is follows. */
    private static final String BAD_GUARD = "BADGUARD ";

    /** The error of a script that would have to read too much; what of follows. */
    private static final String TOO_MANY = "TOOMANY";

    /** The error of a script that can give no greater fence than the last. */
    private static final String NO_FENCE = "NOFENCE";

    /** The beginning of the error of a server that wants a password. */
    private static final String NO_PASSWORD = "NOAUTH";

    private static final Pattern SCRIPT_KEY = Pattern.compile("KEYS\\[(\\d)]");
    private static final Pattern SCRIPT_LINE = Pattern.compile("user_script:(\\d+)");
    private static final Pattern SCRIPT_COMMAND = Pattern.compile("redis\\.p?call\\('(\\w+)'");
    private static final Pattern REFUSED_COMMAND = Pattern.compile("run the '([^']+)' command");

    /** The part of an error in which a server repeats the arguments of a command that it does not know. */
    private static final Pattern ARGUMENTS = Pattern.compile(",? *with args beginning with.*", Pattern.DOTALL);

    private Failures() {}

    public static RedisException disconnected() {
        return new RedisException("The connection to Redis broke before the answer came");
    }

    public static StoreUnavailableException silent(String where) {
        return new StoreUnavailableException("Redis accepts connections, but does not answer: " + where, null);
    }

    public static IllegalStateException closed() {
        return new StoreRefusal("The store is closed");
    }

    /** The exception for an error of a script. */
    public static RuntimeException of(String error, Script script, List<String> keys, String subject) {
        if (isMissingRight(error)) {
            return missingRight(error, right(error, script, subject));
        }
        if (error.contains("WRONGTYPE")) {
            return wrongType(error, script, keys, subject);
        }
        if (error.startsWith(WRONG_KIND)) {
            return StoreRefusal.ofOtherKind("A name that is in use as a"
                    + error.substring(WRONG_KIND.length()).replaceFirst(" script:.*", "")
                    + " cannot be used as another kind of lock at the same time; use another name: " + subject);
        }
        if (error.startsWith(TOO_MANY)) {
            return new StoreRefusal(
                    "A key of this name has more than 10,000 fields, which no script reads; use another name, or delete"
                            + " the key when nobody uses it: " + subject);
        }
        if (error.startsWith(NO_FENCE)) {
            return new StoreRefusal("The last fence of this name is out of range, 2^53-1 or more, and no other may be"
                    + " lower; use another name, or delete the key interlock_fence of this one when nobody uses"
                    + " it: "
                    + subject);
        }
        return of(error);
    }

    /** The exception for an error of any command. */
    public static RuntimeException of(String error) {
        RedisCommandExecutionException cause = new RedisCommandExecutionException(error);
        if (error.startsWith(NO_PASSWORD)) {
            return new StoreUnavailableException(
                    "Redis wants a password; put it into the URI as redis://user:password@host", cause);
        }
        return cause;
    }

    /** Whether a server has refused a command, not just redirected it, and has replied at all. */
    public static boolean isRefusal(Throwable failure) {
        Throwable cause = LockStore.causeOf(failure);
        return cause instanceof RedisCommandExecutionException
                && Redirect.of(String.valueOf(cause.getMessage())) == null;
    }

    /** Whether the error is that the server, or a proxy in front of it, does not let the user run this command. */
    public static boolean refuses(String error, CommandType command) {
        return Pattern.compile("(?i)(?<![\\w-])" + command + "(?![\\w-])")
                .matcher(error)
                .find();
    }

    /** Whether a server has replied with an error, and not with a redirection or the wish to be asked later. */
    public static boolean isError(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (isRefusal(t)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the server has refused because it wants a password. Its own error may be the cause of the failure. */
    public static boolean wantsPassword(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof RedisCommandExecutionException
                    && String.valueOf(t.getMessage()).startsWith(NO_PASSWORD)) {
                return true;
            }
        }
        return false;
    }

    static boolean isMissingRight(String error) {
        // In a script, servers say it in other words: Redis 6, and Valkey.
        return error.contains("NOPERM")
                || error.contains("The user executing the script can't")
                || error.contains("ACL failure in script");
    }

    static StoreUnavailableException missingRight(String error, String right) {
        return new StoreUnavailableException(
                "The Redis user lacks a right, give it with ACL SETUSER: " + right,
                new RedisCommandExecutionException(error));
    }

    public static StoreUnavailableException tooOld(String version) {
        return new StoreUnavailableException("Interlock needs Redis 6.0 or later: version=" + version, null);
    }

    public static StoreUnavailableException sentinel(String where) {
        return new StoreUnavailableException(
                "This is a Sentinel; ask it for a master with redis-sentinel://host:port/master-name: " + where, null);
    }

    public static StoreUnavailableException replica(String where) {
        return new StoreUnavailableException(
                "This server is a replica, and locks are held on its master; the URI must name that one: " + where,
                null);
    }

    public static StoreUnavailableException masterWithoutOffice(String where) {
        return new StoreUnavailableException(
                "The server that the Sentinels name is not a master, or not yet: " + where, null);
    }

    public static StoreUnavailableException notForSentinel(String where, String mode) {
        return new StoreUnavailableException(
                "The Sentinels name a server that they cannot watch: mode=" + mode + ", " + where, null);
    }

    public static StoreUnavailableException noCluster(String where) {
        return new StoreUnavailableException(
                "Several hosts in a URI must be servers of one cluster, and this is none; name one server, or Sentinels"
                        + " with redis-sentinel://h1,h2,h3/master-name: " + where,
                null);
    }

    public static StoreUnavailableException databaseOfCluster(String where) {
        return new StoreUnavailableException("A cluster has no database but 0: " + where, null);
    }

    public static StoreUnavailableException clusterOfAnother(String where) {
        return new StoreUnavailableException(
                "This server belongs to a cluster, and a client for one server does not reach the others;"
                        + " open the store with RedisStore.at(uri), or over the application's RedisClusterClient: "
                        + where,
                null);
    }

    /** The exception for a failure to connect, which says what to change. */
    public static RuntimeException connecting(Throwable problem, String where) {
        Throwable failure = withoutArguments(problem);
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof StoreUnavailableException known) {
                return known;
            }
            String message = String.valueOf(t.getMessage());
            if (message.startsWith("WRONGPASS") || message.contains("invalid password")) {
                return new StoreUnavailableException("Redis refused the user or the password of the URI: " + where, t);
            }
            if (message.startsWith(NO_PASSWORD)) {
                return of(message);
            }
            String tls = TlsProblem.in(t);
            if (tls != null) {
                return new StoreUnavailableException(tls + ": " + where, failure);
            }
        }
        String what = isError(failure) ? "Redis refuses the connection: " : "Redis cannot be reached: ";
        return new StoreUnavailableException(what + where + ": " + innermost(failure), failure);
    }

    /** What the server or the network has said. */
    private static String innermost(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        String said = Printable.messageOf(innermost);
        return innermost instanceof UnknownHostException ? "unknown host " + said : said;
    }

    /** The exception for a connection that the server refused in TLS after it was open; null if it was not. */
    public static @Nullable RuntimeException refusedInTls(Throwable failure, String where) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String tls = t instanceof SSLException ? TlsProblem.in(t) : null;
            if (tls != null) {
                return new StoreUnavailableException(tls + ": " + where, failure);
            }
        }
        return null;
    }

    /** The failure itself, or the server's error without the arguments that it repeats: one may be a password. */
    public static Throwable withoutArguments(Throwable failure) {
        String said = null;
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String message = String.valueOf(t.getMessage());
            Matcher arguments = ARGUMENTS.matcher(message);
            if (arguments.find()) {
                said = message.substring(0, arguments.start());
            }
        }
        return said == null ? failure : new RedisCommandExecutionException(said);
    }

    /** The failure of a write that a guard decides about; says what is wrong with the guard if that is the reason. */
    public static Throwable ofGuard(Throwable failure, String guard) {
        if (!(LockStore.causeOf(failure) instanceof RedisCommandExecutionException refusal)) {
            return failure;
        }
        String error = String.valueOf(refusal.getMessage());
        boolean isOfAnotherType = error.contains("WRONGTYPE");
        if (!isOfAnotherType && !error.startsWith(BAD_GUARD)) {
            return failure;
        }
        String found = isOfAnotherType
                ? "a key of another type than a string"
                : error.substring(BAD_GUARD.length()).replaceFirst(" script:.*", "");
        return new StoreRefusal(
                "The guard must be a token, and refuses every write, since it is " + found
                        + "; set it to the largest token that may have written the value: key=" + guard,
                refusal);
    }

    /** Names the key that has another type. The line of the script says which of its keys that is. */
    private static IllegalStateException wrongType(String error, Script script, List<String> keys, String subject) {
        String line = lineOf(error, script).orElse("");
        Matcher number = SCRIPT_KEY.matcher(line);
        String key = keys.isEmpty() ? "" : keys.get(0);
        if (number.find()) {
            key = keys.get(Math.min(Integer.parseInt(number.group(1)), keys.size()) - 1);
        } else if (line.contains("waiters")) {
            key = keyOf(keys, "waiters:", key);
        } else if (line.contains("'get'")) {
            key = keyOf(keys, "interlock_fence:", key);
        }
        boolean isText = key.startsWith("interlock_fence:");
        return new StoreRefusal(
                "The key " + key + " must be a " + (isText ? "string" : "hash") + ", but something else stands there;"
                        + " use another name, or delete it when nobody uses this one: " + subject,
                new RedisCommandExecutionException(error));
    }

    private static String keyOf(List<String> keys, String part, String otherwise) {
        return keys.stream()
                .filter(key -> key.startsWith("interlock_") && key.contains(part))
                .findFirst()
                .orElse(otherwise);
    }

    private static Optional<String> lineOf(String error, Script script) {
        return Optional.of(SCRIPT_LINE.matcher(error))
                .filter(Matcher::find)
                .map(line -> script.line(Integer.parseInt(line.group(1))));
    }

    /** Names the missing right. The server reports only the refused line of the script, which has the command. */
    private static String right(String error, Script script, String subject) {
        if (error.contains("key")) {
            return "~ for the lock's key and for interlock_*, " + subject;
        }
        Matcher refused = REFUSED_COMMAND.matcher(error);
        if (refused.find()) {
            return "+" + refused.group(1);
        }
        return lineOf(error, script)
                .map(SCRIPT_COMMAND::matcher)
                .filter(Matcher::find)
                .map(command -> "+" + command.group(1))
                .orElse("one of those in docs/redis.md; the server says: " + error);
    }
}
