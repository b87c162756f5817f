package dev.interlock.cli;

import dev.interlock.LockStatus;
import dev.interlock.LockStatus.Holder;
import dev.interlock.LockStatus.Waiter;
import dev.interlock.Party;
import dev.interlock.cli.Waits.Link;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Colours.Role;
import dev.interlock.cli.common.Durations;
import dev.interlock.spi.Printable;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The output of {@code waits}. */
final class WaitsView {

    /** Of a deadlock, and of each name: a name may have a hundred thousand. */
    private static final int MOST_CLAIMS = 20;

    private WaitsView() {}

    /** Deadlocks first, then the other waits, the longest first. */
    static String text(Waits waits, Colours colours) {
        StringBuilder text = new StringBuilder();
        for (List<Link> circle : waits.circles()) {
            String heading = "deadlock of " + circle.size() + ": nobody in it goes on until one gives up or is ended";
            text.append(colours.paint(Role.BAD, heading)).append('\n');
            lines(text, circle, WaitsView::line);
            text.append('\n');
        }
        List<LockStatus> others = others(waits);
        for (LockStatus lock : others) {
            text.append(colours.paint(Role.HEADING, Printable.of(lock.name())))
                    .append(", ")
                    .append(StatusView.kind(lock))
                    .append('\n');
            lines(text, lock.holders(), WaitsView::line);
            lines(text, lock.waiters(), WaitsView::line);
            text.append('\n');
        }
        if (text.isEmpty()) {
            text.append("nobody waits\n");
        }
        return text.append(waits.look().rest()).toString();
    }

    /** The names that others wait for than those of a deadlock. */
    private static List<LockStatus> others(Waits waits) {
        Set<Waiter> told = new HashSet<>();
        waits.circles().forEach(circle -> circle.forEach(link -> told.add(link.waiter())));
        return waits.waitedFor().stream()
                .filter(lock -> !told.containsAll(lock.waiters()))
                .sorted(Comparator.comparing(
                        (LockStatus lock) -> lock.waiters().get(0).waitingFor(), Comparator.reverseOrder()))
                .toList();
    }

    private static <T> void lines(StringBuilder text, List<T> claims, Function<T, String> form) {
        claims.stream()
                .limit(MOST_CLAIMS)
                .forEach(claim -> text.append("  ").append(form.apply(claim)).append('\n'));
        if (claims.size() > MOST_CLAIMS) {
            text.append("  and ").append(claims.size() - MOST_CLAIMS).append(" more: see show or --json\n");
        }
    }

    private static String line(Link link) {
        return who(link.waiter().owner(), link.waiter().party()) + "\n    waits "
                + Durations.text(link.waiter().waitingFor()) + " for "
                + Printable.of(link.lock().name()) + ", held "
                + Durations.text(link.holder().heldFor()) + " by\n    "
                + who(link.holder().owner(), link.holder().party())
                + (link.runs() == null
                        ? ""
                        : "\n    which runs process " + link.runs().party().pid());
    }

    private static String line(Holder holder) {
        return "held  " + Durations.text(holder.heldFor()) + " by " + who(holder.owner(), holder.party());
    }

    private static String line(Waiter waiter) {
        return "waits " + Durations.text(waiter.waitingFor()) + ": " + who(waiter.owner(), waiter.party());
    }

    /** The process and thread; a client of another library is known by its owner alone. */
    private static String who(String owner, Party party) {
        if (party.pid() == 0) {
            return "owner " + shortened(owner);
        }
        return "process " + party.pid() + " on " + shortened(party.host())
                + (party.thread().isEmpty() ? "" : ", thread " + shortened(party.thread()))
                + (party.application().isEmpty() ? "" : " (" + shortened(party.application()) + ")");
    }

    private static String shortened(String text) {
        return TopView.shortened(Printable.of(text), 60);
    }

    /** In the shape of {@code show --json}; deadlocks beside the names. */
    static Map<String, Object> json(Waits waits) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("complete", !waits.look().goesOn());
        json.put(
                "deadlocks",
                waits.circles().stream()
                        .map(circle -> circle.stream().map(WaitsView::json).toList())
                        .toList());
        json.put("names", waits.waitedFor().stream().map(StatusView::json).toList());
        return json;
    }

    private static Map<String, Object> json(Link link) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", link.lock().name());
        json.put("kind", StatusView.kindWord(link.lock()));
        json.put("waiter", StatusView.json(link.waiter()));
        json.put("holder", StatusView.json(link.holder()));
        if (link.runs() != null) {
            json.put("runs", link.runs().party().pid());
        }
        return json;
    }
}
