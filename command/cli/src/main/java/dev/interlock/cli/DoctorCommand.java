package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.Colours.Role;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.StoreUri;
import dev.interlock.console.Json;
import dev.interlock.spi.Printable;
import dev.interlock.support.Finding;
import dev.interlock.support.Finding.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code interlock doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Tell whether the store is fit for locks, and what to do if it is not.",
        footer = {
            "",
            "It holds a lock for a moment, and has a second client wait for it.",
            "Exit code: 0 nothing to do; 1 locks work, but a case that a setting would exclude can lose them; 2 they "
                    + "do not work, or two clients can hold one; 64 wrong usage; 69 store unavailable."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--json", description = "Print an object: store, worst, findings.")
    private boolean json;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The lock to hold for a moment, if the user may not hold any. Default: a new one.")
    private @Nullable String name;

    @Override
    public Integer call() throws InterruptedException {
        String probed = name == null ? "interlock-doctor-" + UUID.randomUUID() : CommonOptions.checkedName(name);
        StoreUri store = common.store();
        Examiner examiner = new Examiner(store, probed);
        List<Finding> findings;
        // Opened as by every command, which says what is wrong with the URI.
        try (Interlock waiting = common.connect(store, Examiner.APPLICATION)) {
            findings = examiner.findings(waiting);
        }
        Verdict worst =
                findings.stream().map(Finding::verdict).max(Verdict::compareTo).orElse(Verdict.GOOD);
        System.out.print(json ? Json.of(json(store, worst, findings)) + "\n" : text(store, findings));
        if (examiner.failure() != null) {
            throw examiner.failure();
        }
        return switch (worst) {
            case GOOD, NOTE, UNKNOWN -> ExitCode.OK;
            case WARNING -> ExitCode.FAILED;
            case BAD -> ExitCode.BROKEN;
        };
    }

    private static Map<String, Object> json(StoreUri store, Verdict worst, List<Finding> findings) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("store", store.withoutPassword());
        json.put("worst", word(worst));
        json.put(
                "findings",
                findings.stream()
                        .map(finding -> {
                            Map<String, Object> entry = new LinkedHashMap<>();
                            entry.put("check", finding.check());
                            entry.put("verdict", word(finding.verdict()));
                            entry.put("state", state(finding, store));
                            entry.put("advice", finding.advice());
                            return entry;
                        })
                        .toList());
        return json;
    }

    /** What to do first, if locks do not work; one line for each finding, and one for what to do about it. */
    static String text(StoreUri store, List<Finding> findings) {
        Colours colours = Colours.ofOutput();
        int width = findings.stream()
                .mapToInt(finding -> Printable.of(finding.check()).length())
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder(Printable.of(store.withoutPassword())).append("\n\n");
        List<String> remedies = findings.stream()
                .filter(finding -> finding.verdict() == Verdict.BAD)
                .map(Finding::advice)
                .filter(advice -> !advice.isEmpty() && !advice.equals(Examiner.SEE))
                .distinct()
                .toList();
        remedies.forEach(
                remedy -> text.append("to do: ").append(Printable.of(remedy)).append('\n'));
        text.append(remedies.isEmpty() ? "" : "\n");
        for (Finding finding : findings) {
            String check = Printable.of(finding.check());
            String verdict = word(finding.verdict());
            text.append(paint(finding.verdict(), verdict, colours))
                    .append(" ".repeat(9 - verdict.length()))
                    .append(check)
                    .append(" ".repeat(width + 2 - check.length()))
                    .append(Printable.of(state(finding, store)))
                    .append('\n');
            if (!finding.advice().isEmpty() && !remedies.contains(finding.advice())) {
                text.append(" ".repeat(width + 11))
                        .append("-> ")
                        .append(Printable.of(finding.advice()))
                        .append('\n');
            }
        }
        return text.toString();
    }

    /** A state may quote a server or a driver, and they the URI. */
    private static String state(Finding finding, StoreUri store) {
        return StoreUri.hidePasswords(finding.state(), List.of(store.value()));
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    private static String paint(Verdict verdict, String text, Colours colours) {
        return switch (verdict) {
            case GOOD -> colours.paint(Role.GOOD, text);
            case NOTE, UNKNOWN -> text;
            case WARNING -> colours.paint(Role.WARNING, text);
            case BAD -> colours.paint(Role.BAD, text);
        };
    }
}
