package dev.interlock.jdbc.connection;

/** What a connection is connected to: a file or a server. */
public interface ConnectionTarget {

    /** Whether its place now holds something else, or nothing. Checked before every operation. */
    boolean isGone();

    /** How people find it: a path, or a URL without anything secret. */
    @Override
    String toString();
}
