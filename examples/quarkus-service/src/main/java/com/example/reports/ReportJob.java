package com.example.reports;

import dev.interlock.annotation.Locked;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The schedule fires in each instance at about the same time. The first one writes the report, the others skip it: also
 * one whose clock is a second late, when the report is written already.
 */
@ApplicationScoped
public class ReportJob {

    private final Path file;
    private final String instance;

    public ReportJob(
            @ConfigProperty(name = "reports.file") Path file,
            @ConfigProperty(name = "reports.instance") String instance) {
        this.file = file;
        this.instance = instance;
    }

    @Scheduled(cron = "*/2 * * * * ?")
    @Locked(value = "report", waitAtMost = "0s", onBusy = Locked.OnBusy.SKIP, atLeast = "1500ms")
    void report() throws IOException, InterruptedException {
        write("begin");
        Thread.sleep(1000);
        write("end");
    }

    private void write(String what) throws IOException {
        String line = what + " " + instance + "\n";
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
