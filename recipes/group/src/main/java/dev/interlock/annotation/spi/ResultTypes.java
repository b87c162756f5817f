package dev.interlock.annotation.spi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a framework knows of the results of methods, besides the types of the JDK. Thread-safe. */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public interface ResultTypes {

    /** Of a framework that knows nothing else: it has no publishers and no suspending functions. */
    ResultTypes OF_THE_JDK = new ResultTypes() {};

    /** How publishers of a type are handled; null if values of it are no publishers, or Reactor is missing. */
    default @Nullable PublisherType publisher(Class<?> type) {
        return null;
    }

    /** Why suspending functions of Kotlin are not called as publishers; null if they are. */
    default @Nullable String suspendingProblem() {
        return "is on a suspending function, for which there is no lock here: let it return a CompletableFuture";
    }

    /** Names of further types whose work is done after the method, or of the same, with what to do instead. */
    default Map<String, String> later() {
        return Map.of();
    }

    /** The empty value of a collection or map that is not of the JDK; null to make it by its constructor. */
    default @Nullable Object empty(Class<?> type) {
        return null;
    }
}
