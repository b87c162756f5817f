package dev.interlock.annotation.spi;

import dev.interlock.annotation.Locked;
import java.lang.reflect.Method;

/**
 * What a framework understands in the texts of a {@link Locked}: placeholders of its configuration, and expressions in
 * names. Thread-safe.
 */
public interface Expressions {

    /**
     * Replaces the placeholders in a text, which may be that of a name or of a duration.
     *
     * @throws IllegalArgumentException if one has no value
     */
    String resolve(String text);

    /**
     * Parses the name of a lock. It takes the texts of values from {@link NameText}, which has the rules for them.
     *
     * @param text not empty, and without placeholders
     * @param method the method that is locked, whose arguments the name may mention
     * @throws IllegalArgumentException if it cannot be parsed, or mentions what does not exist or has no text; the
     *     message goes on after "the annotation ", such as "has a name that …"
     */
    NameTemplate name(String text, Method method);
}
