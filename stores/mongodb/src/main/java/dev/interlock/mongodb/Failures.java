package dev.interlock.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoWriteException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.spi.Log;

/** What the server's refusals mean to a user. */
final class Failures {

    static final System.Logger LOG = Log.named("dev.interlock.mongodb");

    private static final int UNAUTHORIZED = 13;

    private Failures() {}

    /**
     * Whether the server has answered with a refusal. What it has done, and could not have a majority acknowledge, is
     * none.
     */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MongoCommandException || cause instanceof MongoWriteException) {
                return true;
            }
        }
        return false;
    }

    /** The failure; a problem of set-up as an exception that says what to do about it. */
    static Throwable explained(Throwable failure) {
        // The driver says the same of a network that breaks while it logs in: only an answer is about the user.
        if (failure instanceof MongoSecurityException && failure.getCause() instanceof MongoCommandException) {
            return new StoreUnavailableException(
                    "MongoDB refused the user or the password of the store's URI: check both, and authSource", failure);
        }
        boolean isUnauthorized = failure instanceof MongoCommandException command
                ? command.getErrorCode() == UNAUTHORIZED
                : failure instanceof MongoWriteException write
                        && write.getError().getCode() == UNAUTHORIZED;
        return isUnauthorized
                ? new StoreUnavailableException(
                        "The user must be allowed to find, insert, update and remove in the store's collection: "
                                + failure.getMessage(),
                        failure)
                : failure;
    }
}
