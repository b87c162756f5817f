package dev.interlock.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoWriteException;
import dev.interlock.StoreUnavailableException;

/** What an answer of the server means to a user. */
final class Failures {

    static final System.Logger LOG = System.getLogger(MongoStore.class.getName());

    private static final int UNAUTHORIZED = 13;

    private Failures() {}

    /**
     * A problem of set-up says what to do about it: it says nothing of the name that was asked for. Everything else
     * stays as it is.
     */
    static Throwable explained(Throwable failure) {
        if (isRefusedLogin(failure)) {
            return new StoreUnavailableException(
                    "MongoDB refused the user or the password of the store's URI: check both, and authSource", failure);
        }
        if (isUnauthorized(failure)) {
            return new StoreUnavailableException(
                    "The user must be allowed to find, insert, update and remove in the store's collection: "
                            + failure.getMessage(),
                    failure);
        }
        return failure;
    }

    /**
     * The driver says the same of a network that breaks while it logs in: only an answer of the server is about the
     * user.
     */
    private static boolean isRefusedLogin(Throwable failure) {
        return failure instanceof MongoSecurityException && failure.getCause() instanceof MongoCommandException;
    }

    private static boolean isUnauthorized(Throwable failure) {
        return (failure instanceof MongoCommandException refused && refused.getErrorCode() == UNAUTHORIZED)
                || (failure instanceof MongoWriteException write
                        && write.getError().getCode() == UNAUTHORIZED);
    }
}
