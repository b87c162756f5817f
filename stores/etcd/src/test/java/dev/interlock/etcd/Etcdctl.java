package dev.interlock.etcd;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.interlock.testkit.fixture.Caller;
import dev.interlock.testkit.process.Signals;
import dev.interlock.testkit.server.EtcdServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process of etcd's own command, which holds a lock or leads an election until it is interrupted. */
final class Etcdctl implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;

    private Etcdctl(TestEtcd etcd, String... arguments) throws IOException {
        String program = EtcdServer.command("etcdctl").map(Object::toString).orElse("");
        assumeThat(program).as("etcdctl is beside etcd").isNotEmpty();
        List<String> words =
                new ArrayList<>(List.of(program, "--endpoints=" + etcd.server().host()));
        words.addAll(List.of(arguments));
        ProcessBuilder command = new ProcessBuilder(words);
        command.environment().put("ETCDCTL_API", "3");
        process = command.start();
        said = process.inputReader();
    }

    /** Begins to wait for the lock of this name. */
    static Etcdctl lock(TestEtcd etcd, String name) throws IOException {
        return new Etcdctl(etcd, "lock", "interlock/" + name);
    }

    /** Stands in the election of this name. */
    static Etcdctl elect(TestEtcd etcd, String name, String proposal) throws IOException {
        return new Etcdctl(etcd, "elect", "interlock/" + name, proposal);
    }

    /** Its key, once it holds the lock or leads. */
    Caller<String> granted() {
        return Caller.start(said::readLine);
    }

    /** Ends it as a user does: it lets go. */
    void end() throws InterruptedException {
        Signals.send("INT", process.pid());
        process.waitFor();
    }

    /** Kills it, if it has not ended: its session keeps what it has for a while. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
