package com.example.reports;

import dev.interlock.spring.LockedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The schedule fires in each instance at about the same time. The first one writes the report, the others skip it: also
 * one whose clock is a second late, when the report is written already.
 */
@Component
public class ReportJob {

    private final Path file;
    private final String instance;

    public ReportJob(@Value("${reports.file}") Path file, @Value("${reports.instance}") String instance) {
        this.file = file;
        this.instance = instance;
    }

    @Scheduled(cron = "*/2 * * * * *")
    @LockedJob(name = "report", lockAtLeastFor = "1500ms")
    public void report() throws IOException, InterruptedException {
        write("begin");
        Thread.sleep(1000);
        write("end");
    }

    private void write(String what) throws IOException {
        String line = what + " " + instance + "\n";
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
