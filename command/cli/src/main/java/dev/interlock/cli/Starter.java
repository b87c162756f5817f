package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The shell that the launcher has left waiting before it became this JVM. It starts programs as the launcher was
 * started: Java would block a signal, close descriptors and change a limit. Function {@code serve} of
 * {@code launcher.sh} is its side:
 *
 * <pre>
 *   JVM     "3 1838316560165888000\n"   how many words stand behind NAME, and the token
 *   JVM     "sqlite:/home/...\n"        the store
 *   shell   "4711\n"                    the program's process, which is being started
 *   shell   "0\n"                       its exit code
 *   ...
 *   JVM     "\n"                        the shell ends
 * </pre>
 *
 * <p>It has the words themselves, byte by byte. It ends by itself if it cannot do its work, and when this JVM ends.
 */
final class Starter {

    /** Set by the launcher: the descriptors of the two pipes, a digit each. */
    private static final String PROPERTY = "interlock.starter";

    /** Of the descriptors of this process: each file there is what the descriptor with its number is. */
    private static final String DESCRIPTORS = "/dev/fd/";

    private static @Nullable Starter found;

    private final OutputStream requests;
    private final BufferedReader reports;

    /** Of the last program; guarded by this. */
    private CompletableFuture<Integer> exit = CompletableFuture.completedFuture(0);

    private Starter(String descriptors) throws IOException {
        requests = new FileOutputStream(DESCRIPTORS + descriptors.charAt(0));
        reports = new BufferedReader(new InputStreamReader(
                new FileInputStream(DESCRIPTORS + descriptors.charAt(1)), StandardCharsets.US_ASCII));
    }

    /** The shell, or null if the launcher has left none. */
    static synchronized @Nullable Starter find() {
        String descriptors = System.getProperty(PROPERTY, "");
        if (found == null && !descriptors.isEmpty()) {
            try {
                found = new Starter(descriptors);
            } catch (IOException e) {
                return null;
            }
        }
        return found;
    }

    /**
     * Ends the shell, and waits for that. The child of a process that ignores CHLD leaves nothing behind. A shell that
     * outlived this process would be left to the first process of the system, which in a container may wait for nobody.
     */
    static void dismiss() {
        Starter starter = find();
        if (starter != null) {
            starter.end();
        }
    }

    /**
     * Starts a program, when the one before has ended; null if the shell cannot do it.
     *
     * @param words how many words stand behind NAME on the command line
     */
    synchronized @Nullable RunningProgram start(int words, long token, String store) {
        if (store.indexOf('\n') >= 0) {
            return null;
        }
        if (Processes.isFirst()) {
            // So the system removes what the program leaves to this process. The shell waits for the program itself.
            OsSignal.ignore("CHLD");
        }
        try {
            requests.write((words + " " + token + "\n" + store + "\n").getBytes(StandardCharsets.UTF_8));
            String pid = reports.readLine();
            if (pid == null) {
                return null;
            }
            return watched(Long.parseLong(pid));
        } catch (IOException e) {
            return null;
        }
    }

    private RunningProgram watched(long pid) {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        exit = end;
        Thread reader = new Thread(() -> awaitEnd(pid, end), "interlock-program");
        reader.setDaemon(true);
        reader.start();
        return new RunningProgram(pid, end);
    }

    private void awaitEnd(long pid, CompletableFuture<Integer> end) {
        String exitCode;
        try {
            exitCode = reports.readLine();
        } catch (IOException e) {
            exitCode = null;
        }
        if (exitCode != null) {
            end.complete(Integer.valueOf(exitCode));
            return;
        }
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
        end.completeExceptionally(new CommandException(
                ExitCode.DEFECT,
                "the shell that waited for process " + pid + ", the program, was killed: with which exit code the"
                        + " program ended is not known",
                null));
    }

    private synchronized void end() {
        if (!exit.isDone()) {
            return;
        }
        OsSignal.ignore("CHLD");
        try {
            requests.write('\n');
            while (reports.readLine() != null) {
                // There is nothing more to say.
            }
        } catch (IOException e) {
            // It has ended.
        }
    }
}
