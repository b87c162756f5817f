package dev.interlock.cli.common;

/**
 * The exit codes of the command, besides those of the program that {@code run} starts. The numbers from 64 are those of
 * {@code sysexits.h}.
 */
public final class ExitCode {

    /** Success. */
    public static final int OK = 0;

    /**
     * The demonstration found a wrong number, the question of {@code unlock} was answered with no, or {@code doctor}
     * found a case in which locks can be lost.
     */
    public static final int FAILED = 1;

    /** {@code doctor} found that locks do not work. */
    public static final int BROKEN = 2;

    /** Wrong usage. */
    public static final int USAGE = 64;

    /** The store is not available. */
    public static final int UNAVAILABLE = 69;

    /** A defect of this program. */
    public static final int DEFECT = 70;

    /** The lock was lost while the program ran. */
    public static final int LOST = 74;

    /**
     * The output of a command other than {@code run} could not be written. The number is that of {@code EX_IOERR}, as
     * is {@link #LOST}.
     */
    public static final int UNWRITTEN = 74;

    /** The lock is busy, or the wait is over. */
    public static final int BUSY = 75;

    /** The program to run is there but cannot be executed. */
    public static final int NOT_EXECUTABLE = 126;

    /** The program to run is not there. */
    public static final int NOT_FOUND = 127;

    /** Added to the number of the signal that ended a program. */
    public static final int SIGNALLED = 128;

    /** The reader of the output is gone: as if SIGPIPE, which Java ignores, had ended the process. */
    public static final int UNREAD = SIGNALLED + 13;

    private ExitCode() {}
}
