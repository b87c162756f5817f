package dev.interlock.testkit.contract;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads, by reflection: this code runs on Java 17 too. */
final class VirtualThreads {

    private VirtualThreads() {}

    /** Whether the JVM has them. */
    static boolean exist() {
        return Runtime.version().feature() >= 21;
    }

    /** An executor that starts one for each task; or a platform thread where there are none. */
    static ExecutorService orOthers() throws ReflectiveOperationException {
        if (!exist()) {
            return Executors.newCachedThreadPool();
        }
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
