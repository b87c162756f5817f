package dev.interlock.fence;

import org.jspecify.annotations.Nullable;

/**
 * The core of a filter in front of an HTTP resource, independent of any server's API. It takes the value of the
 * request's {@value FenceHeader#NAME} header, and decides whether to go on, or how to answer.
 *
 * <pre>{@code
 * HttpFence.Decision decision = fence.decide(request.getHeader(FenceHeader.NAME), "orders:42");
 * if (!decision.accepted()) {
 *   response.setHeader(FenceHeader.MAXIMUM, Long.toString(decision.maximum()));
 *   response.sendError(decision.status(), decision.message());
 *   return;
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("exports")
public final class HttpFence {

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int PRECONDITION_FAILED = 412;
    private static final int PRECONDITION_REQUIRED = 428;
    private static final int UNAVAILABLE = 503;

    private final FenceGate gate;

    /**
     * Creates a fence over this gate, which remembers the tokens.
     *
     * @param gate the gate
     */
    public HttpFence(FenceGate gate) {
        this.gate = gate;
    }

    /**
     * The decision about a request.
     *
     * @param accepted whether to go on
     * @param status the status to answer with if not accepted: 412 too late, 428 no token, 400 no valid token, 503 the
     *     gate is full
     * @param maximum the largest token seen of the resource; 0 if there is none, or if the gate was not consulted
     * @param message the explanation for the client that made the request
     */
    public record Decision(boolean accepted, int status, long maximum, String message) {}

    /**
     * Decides about a request that changes a resource.
     *
     * @param header the value of the request's header; null if it has none
     * @param resource the resource that the request changes
     * @return whether to go on, or how to answer
     */
    public Decision decide(@Nullable String header, String resource) {
        if (header == null) {
            return new Decision(false, PRECONDITION_REQUIRED, 0, "The header " + FenceHeader.NAME + " is required");
        }
        FenceHeader fence = FenceHeader.parse(header);
        if (fence == null) {
            return new Decision(
                    false,
                    BAD_REQUEST,
                    0,
                    "The header " + FenceHeader.NAME + " must be a positive number, and may have an owner=\"...\"");
        }
        try {
            return decided(gate.check(resource, fence.token(), fence.owner()), fence.token());
        } catch (IllegalStateException e) {
            return new Decision(false, UNAVAILABLE, 0, "Too many resources are guarded; try again later");
        }
    }

    private static Decision decided(FenceVerdict verdict, long token) {
        if (verdict.accepted()) {
            return new Decision(true, OK, verdict.maximum(), "");
        }
        return new Decision(
                false,
                PRECONDITION_FAILED,
                verdict.maximum(),
                "The lease of token " + token + " has been followed by another: " + verdict.maximum());
    }
}
