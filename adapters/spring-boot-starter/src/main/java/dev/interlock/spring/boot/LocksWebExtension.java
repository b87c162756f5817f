package dev.interlock.spring.boot;

import dev.interlock.StoreUnavailableException;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The endpoint over HTTP: what {@link LocksEndpoint} throws is an answer with a status and the reason. Spring Boot
 * would answer 500, or 400 without the reason. A name that no path can have, such as one with a slash, is given as
 * {@code ?name=}.
 */
// As for LocksEndpoint.
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public final class LocksWebExtension {

    private static final int BAD_REQUEST = 400;
    private static final int UNAVAILABLE = 503;

    private final LocksEndpoint endpoint;

    LocksWebExtension(LocksEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** See {@link LocksEndpoint#list}. With a name, see {@link LocksEndpoint#inspect}. */
    @ReadOperation
    public WebEndpointResponse<?> list(
            @Nullable String prefix, @Nullable String limit, @Nullable String client, @Nullable String name) {
        return answer(() -> {
            if (name == null) {
                return endpoint.list(prefix, number(limit), client);
            }
            if (prefix != null || limit != null) {
                throw new IllegalArgumentException("?name= shows one lock: leave out ?prefix= and ?limit=");
            }
            return endpoint.inspect(name, client);
        });
    }

    /** See {@link LocksEndpoint#inspect}. */
    @ReadOperation
    public WebEndpointResponse<?> inspect(@Selector String name, @Nullable String client) {
        return answer(() -> endpoint.inspect(name, client));
    }

    /** See {@link LocksEndpoint#force}. */
    @DeleteOperation
    public WebEndpointResponse<?> force(@Selector String name, @Nullable String client) {
        return answer(() -> endpoint.force(name, client));
    }

    /** The same for a name that no path can have. */
    @DeleteOperation
    public WebEndpointResponse<?> forceNamed(@Nullable String name, @Nullable String client) {
        return answer(() -> {
            if (name == null) {
                throw new IllegalArgumentException("Which lock? Add ?name= and its name");
            }
            return endpoint.force(name, client);
        });
    }

    private static @Nullable Integer number(@Nullable String limit) {
        try {
            return limit == null ? null : Integer.valueOf(limit);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("limit must be a number: '" + limit + "'", e);
        }
    }

    private static WebEndpointResponse<?> answer(Supplier<?> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (StoreUnavailableException e) {
            return problem(UNAVAILABLE, e);
        } catch (IllegalStateException e) {
            // The store refuses, or the client is closed.
            return problem(UNAVAILABLE, e);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            return problem(BAD_REQUEST, e);
        }
    }

    private static WebEndpointResponse<?> problem(int status, RuntimeException reason) {
        return new WebEndpointResponse<>(Map.of("error", String.valueOf(reason.getMessage())), status);
    }
}
