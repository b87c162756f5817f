package dev.interlock.examples;

import dev.interlock.testkit.Patience;
import dev.interlock.testkit.process.Signals;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** One process of the service, from its start to its end. Counts what it answers. Thread-safe. */
final class Instance implements AutoCloseable {

    /** What became of one delivery of an order. */
    enum Answer {
        CHARGED,
        CHARGED_BEFORE,
        /** Its charge was refused by the order, which belongs to a later holder. */
        LATE,
        /** It had lost its lock. */
        LOST,
        /** It did not get the lock. */
        BUSY,
        /** An error of another kind, while it had the lock. */
        FAILED,
        /** The process died, or had not started. */
        NONE
    }

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Pattern MEASUREMENT =
            Pattern.compile("\"statistic\":\"(?:COUNT|VALUE)\",\"value\":([-0-9.E]+)");

    private final String name;
    private final int port;
    private final Process process;
    private final Thread hook;
    private final Map<Answer, LongAdder> answers = new ConcurrentHashMap<>();

    private Instance(String name, int port, Process process) {
        this.name = name;
        this.port = port;
        this.process = process;
        this.hook = new Thread(process::destroyForcibly, "kill-" + name);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a jar of Spring Boot, and returns when it is healthy. Its log is {@code folder/name.log}. */
    static Instance start(String name, Path jar, Path folder, Map<String, String> environment, List<String> options)
            throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // What a process that is killed leaves behind is to be left here.
        command.add("-Djava.io.tmpdir=" + Files.createDirectories(folder));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-jar", jar.toString()));
        command.addAll(List.of("--server.address=127.0.0.1", "--server.port=" + port, "--charging.instance=" + name));
        command.addAll(options);
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Instance instance = new Instance(name, port, builder.start());
        Awaitility.await(name + " is healthy; its log is " + log)
                .atMost(Patience.FULL)
                .ignoreExceptionsInstanceOf(IOException.class)
                .failFast(name + " has ended; its log is " + log, () -> !instance.process.isAlive())
                .until(() -> instance.get("/actuator/health").statusCode() == 200);
        return instance;
    }

    /** Delivers an order. */
    Answer charge(long order) throws InterruptedException {
        Answer answer;
        try {
            answer = answer(send(HttpRequest.newBuilder(uri("/orders/" + order + "/charge"))
                    .POST(HttpRequest.BodyPublishers.noBody())));
        } catch (IOException e) {
            answer = Answer.NONE;
        }
        answers.computeIfAbsent(answer, key -> new LongAdder()).increment();
        return answer;
    }

    private static Answer answer(HttpResponse<String> response) {
        return switch (response.statusCode()) {
            case 200 -> response.body().equals("charged") ? Answer.CHARGED : Answer.CHARGED_BEFORE;
            case 409 -> Answer.LATE;
            case 503 -> response.body().startsWith("lost") ? Answer.LOST : Answer.BUSY;
            default -> Answer.FAILED;
        };
    }

    /** How many deliveries it has answered so. */
    long count(Answer... wanted) {
        long count = 0;
        for (Answer answer : wanted) {
            LongAdder adder = answers.get(answer);
            count += adder == null ? 0 : adder.sum();
        }
        return count;
    }

    /**
     * The count or value of a meter, by the actuator; 0 if there is none.
     *
     * @param meter with its tags, as {@code interlock.acquisitions?tag=outcome:acquired}
     */
    long meter(String meter) throws IOException, InterruptedException {
        HttpResponse<String> response = get("/actuator/metrics/" + meter);
        if (response.statusCode() == 404) {
            return 0;
        }
        Matcher measurement = MEASUREMENT.matcher(response.body());
        if (response.statusCode() != 200 || !measurement.find()) {
            throw new IOException("No measurement of " + meter + ": " + response + " " + response.body());
        }
        return (long) Double.parseDouble(measurement.group(1));
    }

    /** SIGKILL. */
    void kill() {
        close();
    }

    /** SIGSTOP; returns when it stands still. */
    void stop() {
        Signals.stop(process.pid());
    }

    /** SIGCONT. */
    void resume() {
        Signals.resume(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(Patience.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    @Override
    public String toString() {
        return name;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
