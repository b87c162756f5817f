/**
 * Annotated methods in a Spring application: {@link dev.interlock.annotation.Locked} and
 * {@link dev.interlock.spring.LeaderOnly}.
 *
 * <p>What a {@code @Locked} method does is in {@link dev.interlock.annotation.spi}. Here is what that needs of Spring:
 * {@link dev.interlock.spring.LockedMethods} finds the methods of beans, {@link dev.interlock.spring.LockedInterceptor}
 * has their calls run, {@code SpelExpressions} is the language of their names, {@code SpringResultTypes} knows Spring's
 * results, and {@code ReleaseAfterTransaction} its transactions. Package {@code dev.interlock.spring.boot} configures
 * all of it.
 */
@NullMarked
package dev.interlock.spring;

import org.jspecify.annotations.NullMarked;
