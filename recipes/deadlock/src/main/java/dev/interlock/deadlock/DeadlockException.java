package dev.interlock.deadlock;

import dev.interlock.Party;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Printable;
import java.util.List;

/**
 * A caller closed a circle of waits: it waits for somebody who waits for somebody, and so on, who waits for what this
 * caller holds. The caller has not got the lock. It keeps all that it holds, and the others wait on until it lets go:
 * release what you hold, and begin anew.
 */
public class DeadlockException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** The longest name in a message, in code points. */
    private static final int LONGEST_NAME = 100;

    private final transient List<Member> circle;

    /**
     * One of those who wait in a circle.
     *
     * @param party its process, and its thread; instead of the thread the participant if the options of the lock name
     *     one
     * @param wanted the name of the lock that it waits for
     * @param kind the kind of that lock
     * @param mode what it waits for, such as a share or a number of permits
     * @param held the names of the locks that it holds
     */
    @SuppressWarnings("exports")
    public record Member(Party party, String wanted, LockKind kind, Mode mode, List<String> held) {

        /**
         * Copies the list.
         *
         * @param party its process and thread
         * @param wanted the name of the lock that it waits for
         * @param kind the kind of that lock
         * @param mode what it waits for
         * @param held the names of the locks that it holds
         */
        public Member {
            held = List.copyOf(held);
        }
    }

    DeadlockException(List<Member> circle) {
        super(message(circle));
        this.circle = List.copyOf(circle);
    }

    /**
     * {@return those who wait in the circle, this caller first: each waits for the next, and the last for this caller;
     * empty if the exception comes from another JVM by serialization}
     */
    public List<Member> circle() {
        return circle == null ? List.of() : circle;
    }

    private static String message(List<Member> circle) {
        StringBuilder text = new StringBuilder("To wait for ")
                .append(describe(circle.get(0)))
                .append(" would last for ever, since each of these waits for the next one, and the last for the first;"
                        + " release what you hold, and begin anew:");
        for (Member member : circle) {
            text.append("\n  ")
                    .append(describe(member.party()))
                    .append(" waits for ")
                    .append(describe(member));
            if (!member.held().isEmpty()) {
                text.append(", holds ");
                text.append(String.join(
                        ", ",
                        member.held().stream().map(DeadlockException::quoted).toList()));
            }
        }
        return text.toString();
    }

    private static String describe(Member member) {
        String what =
                switch (member.kind()) {
                    case LOCK -> "lock ";
                    case READ_WRITE -> member.mode() instanceof Mode.Shared ? "read lock " : "write lock ";
                    default -> member.mode() + " of semaphore ";
                };
        return what + quoted(member.wanted());
    }

    private static String describe(Party party) {
        String application = party.application().isEmpty() ? "" : " (" + plain(party.application()) + ")";
        return plain(party.host()) + ", process " + party.pid() + application + ", thread " + quoted(party.thread());
    }

    private static String quoted(String name) {
        return "'" + plain(name) + "'";
    }

    /** Names and threads are anybody's text: in a message they take part of a line. */
    private static String plain(String text) {
        boolean isLong = text.codePointCount(0, text.length()) > LONGEST_NAME;
        String part = isLong ? text.substring(0, text.offsetByCodePoints(0, LONGEST_NAME)) + "..." : text;
        return Printable.of(part.replaceAll("\\p{Cntrl}", " "));
    }
}
