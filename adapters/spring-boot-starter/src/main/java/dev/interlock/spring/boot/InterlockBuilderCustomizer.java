package dev.interlock.spring.boot;

import dev.interlock.InterlockBuilder;

/** A bean of this type changes the client's builder after the properties have been applied. */
@FunctionalInterface
public interface InterlockBuilderCustomizer {

    /** Changes the builder. */
    void customize(InterlockBuilder builder);
}
