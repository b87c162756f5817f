package dev.interlock.spring.boot;

import dev.interlock.spring.LockedMethodException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Says why the application did not start, if Interlock is the reason. */
public final class InterlockFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterlockConfigurationException configuration) {
                return new FailureAnalysis(configuration.getMessage(), configuration.action(), cause);
            }
            if (cause instanceof LockedMethodException) {
                return new FailureAnalysis(cause.getMessage(), "Correct the annotation.", cause);
            }
        }
        return null;
    }
}
