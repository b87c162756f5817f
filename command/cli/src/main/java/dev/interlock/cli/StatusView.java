package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Durations;
import dev.interlock.cli.common.Table;
import dev.interlock.spi.LockKind;
import dev.interlock.spi.Mode;
import dev.interlock.spi.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The output of {@code ls} and {@code show}. */
final class StatusView {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** Of {@link Entry#cells}. */
    static final List<String> HEADINGS = List.of(
            "NAME", "KIND", "HOST", "PROCESS", "APPLICATION", "SINCE", "HELD FOR", "LEASE LEFT", "TOKEN", "WAITING");

    private StatusView() {}

    /** One line for each holder, and one for a latch. */
    static String table(List<LockStatus> locks, Colours colours) {
        Table table = table();
        for (LockStatus lock : locks) {
            entries(lock).forEach(entry -> table.row(entry.cells()));
        }
        return table.text(colours);
    }

    /** The table of {@link Entry#cells}, with its headings. */
    static Table table() {
        return new Table(HEADINGS.toArray(String[]::new));
    }

    /** One for each holder, and one for a latch. */
    static List<Entry> entries(LockStatus lock) {
        return lock.isLocked()
                ? lock.holders().stream().map(holder -> new Entry(lock, holder)).toList()
                : List.of(new Entry(lock, null));
    }

    /**
     * A row of the table of locks.
     *
     * @param lock the lock
     * @param holder one of its holders; null if it has none
     */
    record Entry(LockStatus lock, @Nullable Holder holder) {

        String[] cells() {
            String waiting = String.valueOf(lock.waiters().size());
            if (holder == null) {
                return new String[] {lock.name(), kind(lock), "-", "-", "-", "-", "-", "-", "-", waiting};
            }
            Party party = holder.party();
            return new String[] {
                lock.name(),
                kind(lock) + ", " + holds(holder),
                party.host(),
                process(party),
                application(party),
                since(holder.heldFor()),
                Durations.text(holder.heldFor()),
                left(holder),
                token(holder),
                waiting
            };
        }
    }

    /** The holders and the waiters of one lock. */
    static String text(LockStatus lock, Colours colours) {
        StringBuilder text = new StringBuilder(Printable.of(lock.name()))
                .append(' ')
                .append(state(lock))
                .append('\n');
        if (lock.isLocked()) {
            Table holders = new Table(
                    "HOLDER", "HOLDS", "PROCESS", "THREAD", "APPLICATION", "SINCE", "HELD FOR", "LEASE LEFT", "TOKEN");
            for (Holder holder : lock.holders()) {
                Party party = holder.party();
                holders.row(
                        party.host(),
                        holds(holder),
                        process(party),
                        thread(party),
                        application(party),
                        since(holder.heldFor()),
                        Durations.text(holder.heldFor()),
                        left(holder),
                        token(holder));
            }
            text.append('\n').append(holders.text(colours));
            HolderProcess.remarks(lock.holders(), Instant.now())
                    .forEach(remark -> text.append(remark).append('\n'));
        }
        if (!lock.waiters().isEmpty()) {
            Table waiters = new Table("WAITER", "WANTS", "PROCESS", "THREAD", "APPLICATION", "SINCE", "WAITING FOR");
            for (Waiter waiter : lock.waiters()) {
                Party party = waiter.party();
                waiters.row(
                        party.host(),
                        waiter.mode().toString(),
                        process(party),
                        thread(party),
                        application(party),
                        since(waiter.waitingFor()),
                        Durations.text(waiter.waitingFor()));
            }
            text.append('\n').append(waiters.text(colours));
        }
        return text.toString();
    }

    /** The form for programs: durations in milliseconds, points in time in ISO-8601 by this machine's clock. */
    static Map<String, Object> json(LockStatus lock) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", lock.name());
        json.put("kind", kindWord(lock));
        json.put("locked", lock.isLocked());
        if (lock.kind() == LockKind.SEMAPHORE) {
            json.put("capacity", lock.count());
        } else if (lock.kind() == LockKind.LATCH) {
            json.put("count", lock.count());
        }
        json.put("holders", lock.holders().stream().map(StatusView::json).toList());
        json.put("waiters", lock.waiters().stream().map(StatusView::json).toList());
        return json;
    }

    /** The kind in one word, for programs. */
    static String kindWord(LockStatus lock) {
        return lock.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String holds(Holder holder) {
        return holder.isLeft()
                ? holder.mode() + ", left to lapse"
                : holder.mode().toString();
    }

    static Map<String, Object> json(Holder holder) {
        Map<String, Object> json = json(holder.owner(), holder.party());
        json.put("mode", mode(holder.mode()));
        if (holder.mode() instanceof Mode.Permits permits) {
            json.put("permits", permits.count());
        }
        if (holder.isLeft()) {
            json.put("left", true);
        }
        json.put("since", instant(holder.heldFor()).toString());
        json.put("heldForMillis", holder.heldFor().toMillis());
        if (hasEnd(holder)) {
            json.put("remainingLeaseMillis", holder.remainingLease().toMillis());
        }
        json.put("token", holder.token());
        HolderProcess.remark(holder, Instant.now()).ifPresent(remark -> json.put("remark", remark));
        return json;
    }

    static Map<String, Object> json(Waiter waiter) {
        Map<String, Object> json = json(waiter.owner(), waiter.party());
        json.put("mode", mode(waiter.mode()));
        if (waiter.mode() instanceof Mode.Permits permits) {
            json.put("permits", permits.count());
        }
        json.put("since", instant(waiter.waitingFor()).toString());
        json.put("waitingForMillis", waiter.waitingFor().toMillis());
        return json;
    }

    private static Map<String, Object> json(String owner, Party party) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("owner", owner);
        json.put("host", party.host());
        json.put("pid", party.pid());
        json.put("application", party.application());
        json.put("thread", party.thread());
        return json;
    }

    static String kind(LockStatus lock) {
        return switch (lock.kind()) {
            case LOCK -> "lock";
            case READ_WRITE -> "read/write";
            case SEMAPHORE -> "semaphore of " + lock.count();
            case LATCH -> "latch at " + lock.count();
        };
    }

    private static String state(LockStatus lock) {
        if (lock.kind() == LockKind.LATCH) {
            return "is a " + kind(lock);
        }
        String kind = lock.kind() == LockKind.LOCK ? "" : ", as a " + kind(lock);
        return (lock.isLocked() ? "is held" : "is free") + kind;
    }

    /** The mode in one word, for programs. */
    private static String mode(Mode mode) {
        if (mode instanceof Mode.Exclusive exclusive) {
            return exclusive.inOrder() ? "fair" : "exclusive";
        }
        return mode instanceof Mode.Shared ? "shared" : mode instanceof Mode.Permits ? "permits" : "await";
    }

    private static String process(Party party) {
        return party.pid() == 0 ? "-" : String.valueOf(party.pid());
    }

    private static String thread(Party party) {
        return party.thread().isEmpty() ? "-" : party.thread();
    }

    private static String application(Party party) {
        return party.application().isEmpty() ? "-" : party.application();
    }

    private static String left(Holder holder) {
        return hasEnd(holder) ? Durations.text(holder.remainingLease()) : "no end";
    }

    private static boolean hasEnd(Holder holder) {
        return holder.remainingLease().compareTo(LockStatus.NO_END) < 0;
    }

    private static String token(Holder holder) {
        return holder.token() == 0 ? "-" : String.valueOf(holder.token());
    }

    private static Instant instant(Duration ago) {
        return Instant.now().minus(ago).truncatedTo(ChronoUnit.MILLIS);
    }

    private static String since(Duration ago) {
        return CLOCK.format(instant(ago).atZone(ZoneId.systemDefault()));
    }
}
