package dev.interlock.cli;

import dev.interlock.Interlock;
import dev.interlock.LockStatus;
import dev.interlock.cli.common.Colours;
import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Terminal;
import dev.interlock.console.Json;
import dev.interlock.spi.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code interlock unlock}. */
@Command(
        name = "unlock",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "End the claim of whoever holds a lock. The holder is told, but may still be at work.")
final class UnlockCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--force", description = "Required: says that somebody else's lock is meant.")
    private boolean force;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Required if there is no terminal to ask on.")
    private boolean yes;

    @Option(names = "--json", description = "Print an object: name, unlocked.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Override
    public Integer call() {
        CommonOptions.checkedName(name);
        if (!force) {
            throw CommandException.usage(
                    "unlock ends a lock that somebody else holds; write 'interlock unlock --force NAME' if that is "
                            + "meant");
        }
        if (!yes && !Terminal.canAsk()) {
            throw CommandException.usage("there is no terminal to ask on; write --yes to unlock without a question");
        }
        try (Interlock interlock = common.connect(common.store(), "interlock unlock")) {
            List<LockStatus> held = interlock.administration().inspect(name).stream()
                    .filter(LockStatus::isLocked)
                    .toList();
            if (!yes && !confirmed(held)) {
                return ExitCode.FAILED;
            }
            // Only the holders that were shown, not those that have come since the question.
            boolean unlocked = false;
            for (LockStatus seen : held) {
                unlocked |= interlock.administration().forceUnlock(seen);
            }
            report(unlocked);
            return ExitCode.OK;
        }
    }

    private static boolean confirmed(List<LockStatus> held) {
        if (held.isEmpty()) {
            return true;
        }
        held.forEach(status -> System.err.print(StatusView.text(status, Colours.ofErrors())));
        System.err.print("\nUnlock it? Its holder may still be at work. [y/N] ");
        System.err.flush();
        return answer().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            return "";
        }
    }

    private void report(boolean unlocked) {
        if (json) {
            System.out.println(Json.of(Map.of("name", name, "unlocked", unlocked)));
        } else {
            System.out.println(Printable.of(name) + (unlocked ? " is unlocked" : " was not held"));
        }
    }
}
