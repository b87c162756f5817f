package dev.interlock.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/**
 * A disk on which a process can write nothing more, which needs no rights: the limit for the size of its files, which
 * {@code prlimit} sets while it runs. Pipes and sockets are not files.
 */
final class DiskLimit {

    private DiskLimit() {}

    /** Each write of this process to a file fails from now on; so do those of the processes that it starts. */
    static void refuse(long pid) {
        set(pid, "0:unlimited");
    }

    /** Its writes work again. */
    static void allow(long pid) {
        set(pid, "unlimited:unlimited");
    }

    private static void set(long pid, String limit) {
        try {
            Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize=" + limit)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(prlimit.getInputStream().readAllBytes(), Charset.defaultCharset());
            if (prlimit.waitFor() != 0 && ProcessHandle.of(pid).isPresent()) {
                throw new IllegalStateException("prlimit failed: pid=" + pid + ", output=" + output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("prlimit, of util-linux, cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while setting a limit: pid=" + pid, e);
        }
    }
}
