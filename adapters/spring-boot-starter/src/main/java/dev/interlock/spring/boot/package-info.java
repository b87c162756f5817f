/**
 * Configures Interlock in a Spring Boot application, 3.5 or 4.
 *
 * <p>{@link dev.interlock.spring.boot.InterlockAutoConfiguration} is where to begin: it makes the client, from
 * {@link dev.interlock.spring.boot.InterlockProperties} or over what the application is connected with already
 * ({@code StoreConfigurations}), and what runs {@link dev.interlock.annotation.Locked} methods. The actuator's endpoint
 * and the health indicators are in {@code InterlockActuatorAutoConfiguration}.
 */
@NullMarked
package dev.interlock.spring.boot;

import org.jspecify.annotations.NullMarked;
