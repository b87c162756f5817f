package dev.interlock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Folders that the tests of a build share. */
class BuildFolderTest {

    private final String version = UUID.randomUUID().toString();

    @Test
    void folder_isFilledOnce_whileOthersWait() throws Exception {
        AtomicInteger fills = new AtomicInteger();
        CompletableFuture<Path> first = new CompletableFuture<>();
        CompletableFuture<Path> second = new CompletableFuture<>();
        Thread waits =
                new Thread(() -> second.completeAsync(() -> filled(folder -> fills.incrementAndGet()), Runnable::run));

        first.completeAsync(
                () -> filled(folder -> {
                    fills.incrementAndGet();
                    waits.start();
                    await().until(() -> waits.getState() == Thread.State.BLOCKED || second.isDone());
                    Files.createFile(folder.resolve("content"));
                }),
                Runnable::run);
        waits.join();

        assertThat(second.join()).isEqualTo(first.join()).isDirectoryContaining("glob:**/content");
        assertThat(fills).hasValue(1);
    }

    @Test
    void folderThatCouldNotBeFilled_isFilledNextTime() {
        assertThatThrownBy(() -> BuildFolder.filled("selftest", version, folder -> {
                    Files.createFile(folder.resolve("half"));
                    throw new IOException("on purpose");
                }))
                .isInstanceOf(UncheckedIOException.class);

        assertThat(filled(folder -> {})).isEmptyDirectory();
    }

    private Path filled(BuildFolder.Content content) {
        return BuildFolder.filled("selftest", version, content);
    }
}
