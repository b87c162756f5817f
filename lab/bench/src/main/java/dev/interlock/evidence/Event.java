package dev.interlock.evidence;

/**
 * One line of a history.
 *
 * @param nanos when, by the clock that all processes of a machine share ({@link System#nanoTime()} on Linux)
 * @param client the number of the process; 0 is the server, -1 neither
 * @param hold the number of the client's hold; 0 if it is about none
 * @param what what happened
 * @param token the fencing token; {@link Rival#NO_TOKEN} if there is none
 * @param note the class of an exception, or empty
 */
record Event(long nanos, int client, int hold, What what, long token, String note) {

    private static final int PARTS = 6;

    String toLine() {
        return nanos + " " + client + " " + hold + " " + what + " " + token + " " + note;
    }

    static Event ofLine(String line) {
        String[] parts = line.split(" ", PARTS);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException(
                    "An event has " + PARTS + " parts, time, client, hold, what, token and note: '" + line + "'");
        }
        return new Event(
                Long.parseLong(parts[0]),
                Integer.parseInt(parts[1]),
                Integer.parseInt(parts[2]),
                What.valueOf(parts[3]),
                Long.parseLong(parts[4]),
                parts[5]);
    }
}
