package dev.interlock.console;

import java.util.Map;

/** A request that is refused: its status, its code in the API, and a message for people. */
final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    Problem(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static Problem badRequest(String message) {
        return new Problem(400, "bad_request", message);
    }

    static Problem forbidden(String message) {
        return new Problem(403, "forbidden", message);
    }

    int status() {
        return status;
    }

    /** In the shape of the API. */
    Map<String, Object> json() {
        return Map.of("error", Map.of("code", code, "message", String.valueOf(getMessage())));
    }
}
