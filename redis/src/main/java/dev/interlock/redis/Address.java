package dev.interlock.redis;

/**
 * Where a server listens.
 *
 * @param host name or address, without brackets
 */
record Address(String host, int port) {

    /** As in a URI. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
