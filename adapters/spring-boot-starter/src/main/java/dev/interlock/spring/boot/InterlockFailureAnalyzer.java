package dev.interlock.spring.boot;

import dev.interlock.annotation.LockedMethodException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says why the application did not start, if Interlock is the reason: before Boot, which does not know the rules. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class InterlockFailureAnalyzer implements FailureAnalyzer {

    private static final ConfigurationPropertyName NAME = ConfigurationPropertyName.of("interlock");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterlockConfigurationException configuration) {
                return new FailureAnalysis(configuration.getMessage(), configuration.action(), cause);
            }
            if (cause instanceof BindException bind && isNumber(bind)) {
                String value = String.valueOf(bind.getProperty().getValue());
                return new FailureAnalysis(
                        "The property " + bind.getName() + " is a number without a unit: " + value,
                        "Write a duration with its unit, such as " + value + "s, " + value + "ms or PT5S.",
                        cause);
            }
            if (cause instanceof LockedMethodException) {
                return new FailureAnalysis(cause.getMessage(), "Correct the annotation.", cause);
            }
        }
        return null;
    }

    /** Whether a duration of ours was given without a unit. */
    private static boolean isNumber(BindException bind) {
        return NAME.isAncestorOf(bind.getName())
                && bind.getTarget().getType().resolve() == Duration.class
                && bind.getProperty() != null
                && NUMBER.matcher(String.valueOf(bind.getProperty().getValue())).matches();
    }
}
