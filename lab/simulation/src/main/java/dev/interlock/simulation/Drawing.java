package dev.interlock.simulation;

import dev.interlock.LossCause;
import dev.interlock.ReleaseOutcome;
import java.util.Locale;

/** A history, drawn in time: a line for each event, a column for the server and for each process. */
// A history is numbers: cheap to keep, and to compare.
@SuppressWarnings("EnumOrdinal")
final class Drawing {

    private static final int WIDTH = 30;

    private Drawing() {}

    /** The drawing of a history, up to its violation and a little further. */
    static String of(Plan plan, History history) {
        StringBuilder text = new StringBuilder();
        int processes = plan.setting().processes();
        line(text, "ms", "server", -1, processes);
        for (int i = 0; i < processes; i++) {
            text.append(String.format(Locale.ROOT, "%-" + WIDTH + "s", "| " + Event.processName(i)));
        }
        text.append('\n');
        for (Event event : history.events()) {
            String what = describe(event, history);
            if (!what.isEmpty()) {
                boolean ofServer = event.process() < 0 || event.kind().name().startsWith("SERVER");
                line(text, Timeline.millis(event.atNanos()), what, ofServer ? -1 : event.process(), processes);
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String time, String what, int column, int processes) {
        text.append(String.format(Locale.ROOT, "%12s ", time));
        for (int i = -1; i <= column && i < processes; i++) {
            text.append(String.format(Locale.ROOT, "%-" + WIDTH + "s", "| " + (i == column ? what : "")));
        }
    }

    private static String describe(Event event, History history) {
        String call = "(" + event.call() + ") ";
        String whose = event.process() < 0 ? "" : " of " + Event.processName(event.process());
        return switch (event.kind()) {
            case ASKED -> call + "asks for name " + event.name();
            case GRANTED -> call + "has token " + event.value();
            case REFUSED -> call + "is refused";
            case FAILED -> call + "fails";
            case LEFT -> call + "leaves";
            case VALID -> call + "is valid";
            case INVALID -> call + "is over";
            case RELEASES -> call + "releases";
            case RELEASED ->
                call
                        + ReleaseOutcome.Status.values()[(int) event.value()]
                        + (event.other() < 0 ? "" : " " + LossCause.values()[(int) event.other()]);
            case LISTENS -> "";
            case LOST -> call + "LOST " + LossCause.values()[(int) event.value()];
            case FAULT -> "** " + Fault.Kind.values()[(int) event.value()];
            case FAULT_OVER -> "** end of " + Fault.Kind.values()[(int) event.value()];
            case SENT -> verb(event) + " -->";
            case LATE -> verb(event) + " arrives late";
            case VANISHED -> verb(event) + (event.other() == 0 ? " --> lost" : " <-- lost");
            case REPLIED -> verb(event) + " <-- " + (event.other() == 1 ? "yes" : "no");
            case WOKEN -> "woken for name " + event.name();
            case SERVER_GRANTS -> "grants fence " + event.value() + whose;
            case SERVER_KEEPS -> "keeps it until " + Timeline.millis(event.other());
            case SERVER_ENDS -> "ends fence " + event.value() + whose;
            case SERVER_FREE -> "name " + event.name() + " is free";
            case WORD_BROKEN -> "!! breaks its word";
            case NOBODYS -> "!! a claim that nobody has";
            case RESTLESS -> "!! not at rest";
            case ERROR ->
                "!! " + history.error(event.value()).lines().findFirst().orElse("");
            case ENDLESS -> "!! endless";
        };
    }

    private static String verb(Event event) {
        return Wire.Verb.values()[(int) event.value()].name().toLowerCase(Locale.ROOT);
    }
}
