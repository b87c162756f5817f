package dev.interlock.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoWriteException;

/** What an answer of the server means to a user. */
final class Failures {

    static final System.Logger LOG = System.getLogger(MongoStore.class.getName());

    private static final int UNAUTHORIZED = 13;

    private Failures() {}

    /** A problem of set-up says what to do about it, and that asking again is of no use; everything else stays as it is. */
    static Throwable explained(Throwable failure) {
        if (failure instanceof MongoSecurityException) {
            return new IllegalStateException(
                    "MongoDB refused the user or the password of the store's URI: check both, and authSource", failure);
        }
        if (isUnauthorized(failure)) {
            return new IllegalStateException(
                    "The user must be allowed to find, insert, update and remove in the store's collection: "
                            + failure.getMessage(),
                    failure);
        }
        return failure;
    }

    private static boolean isUnauthorized(Throwable failure) {
        return (failure instanceof MongoCommandException refused && refused.getErrorCode() == UNAUTHORIZED)
                || (failure instanceof MongoWriteException write
                        && write.getError().getCode() == UNAUTHORIZED);
    }
}
