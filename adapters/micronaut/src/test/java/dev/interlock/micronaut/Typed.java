package dev.interlock.micronaut;

import dev.interlock.annotation.Locked;
import jakarta.inject.Singleton;
import java.util.concurrent.Callable;

/** A bean all of whose public methods are locked, one by a lock of its own. */
@Singleton
@Locked("typed")
class Typed {

    public <T> T run(Callable<T> body) throws Exception {
        return body.call();
    }

    @Locked("own")
    public <T> T own(Callable<T> body) throws Exception {
        return body.call();
    }

    <T> T internal(Callable<T> body) throws Exception {
        return body.call();
    }
}
