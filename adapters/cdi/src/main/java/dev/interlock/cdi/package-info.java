/**
 * A client of the application and methods with {@link dev.interlock.annotation.Locked}, for Jakarta CDI 4.
 *
 * <pre>
 *   CdiExtension           while the container is built: binds the interceptor to methods, adds the client
 *   LockedInterceptor      a call of such a method
 *   CdiFramework           while the container runs: clients, running methods, the start and the end
 *     LockedMethods          what stands at methods, parsed and checked
 * </pre>
 */
@NullMarked
package dev.interlock.cdi;

import org.jspecify.annotations.NullMarked;
