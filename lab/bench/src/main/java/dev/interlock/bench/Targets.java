package dev.interlock.bench;

import static dev.interlock.bench.PeerKind.EARLY;
import static dev.interlock.bench.PeerKind.INTERLOCK;
import static dev.interlock.bench.PeerKind.LETTUCE;
import static dev.interlock.bench.PeerKind.METERED;
import static dev.interlock.bench.PeerKind.REDISSON;
import static dev.interlock.bench.PeerKind.RETAINED;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The targets of each scenario. */
final class Targets {

    private final Scenario scenario;
    private final Results results;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Targets(Scenario scenario, Results results) {
        this.scenario = scenario;
        this.results = results;
    }

    /** The verdicts that these results allow: those on peers that took no part are missing. */
    static List<Verdict> judge(Scenario scenario, Results results) {
        Targets targets = new Targets(scenario, results);
        if (results.have(INTERLOCK)) {
            targets.judge();
        }
        return targets.verdicts;
    }

    private void judge() {
        switch (scenario.id()) {
            case "B1" -> faster(LETTUCE, 0.9);
            case "B1E" -> releasedEarly();
            case "B2" -> {
                faster(LETTUCE, 0.85);
                faster(REDISSON, 4);
            }
            case "B3" -> {
                // The hold around the re-entries is renewed every ten seconds: that may fall into a round, but not into
                // each.
                double commands = results.least(INTERLOCK, Sample::clientCommands);
                verdicts.add(Verdict.atMost("B3", "commands in a round without a renewal", commands, 0, ""));
                faster(REDISSON, 100);
            }
            case "B4" -> faster(REDISSON, 30);
            case "B5" -> handOver();
            case "B7" -> timedTry();
            case "B9" -> faster(REDISSON, 10);
            case "B10" -> {
                faster(REDISSON, 2);
                double overtaken = results.most(INTERLOCK, Sample::overtaken);
                verdicts.add(Verdict.atMost("B10", "overtaken by one who asked 10 ms later", overtaken, 0, ""));
            }
            case "B11" -> faster(REDISSON, 2);
            case "B12" -> faster(REDISSON, 3);
            case "M1" -> metrics();
            case "R1" -> retained();
            case "R2" -> retainedInTurn();
            default -> throw new IllegalStateException("a scenario without a target: " + scenario.id());
        }
    }

    private void handOver() {
        faster(REDISSON, 20);
        results.peers().stream()
                .filter(peer -> peer != INTERLOCK)
                .max(Comparator.comparingDouble(peer -> results.median(peer, Sample::perSecond)))
                .ifPresent(best -> faster(best, 3));
        double commands = results.median(INTERLOCK, Sample::commandsPerHandOver);
        verdicts.add(Verdict.atMost("B5", "commands per hand-over between JVMs", commands, 2, ""));
        double share = results.median(INTERLOCK, Sample::smallestShare);
        verdicts.add(Verdict.atLeast("B5", "smallest share of a JVM", share, 0.5, " of the fair one"));
        if (results.have(REDISSON)) {
            double theirs = results.median(REDISSON, sample -> sample.waitMillis(0.99));
            double ours = results.median(INTERLOCK, sample -> sample.waitMillis(0.99));
            verdicts.add(Verdict.atMost("B5", "p99 wait (Redisson's)", ours, theirs, " ms"));
        }
    }

    private void timedTry() {
        double commands = results.median(INTERLOCK, sample -> sample.commandsPerWave(scenario.threads()));
        verdicts.add(Verdict.atMost("B7", "commands per wave", commands, 4, ""));
        double millis = results.median(INTERLOCK, sample -> sample.waitMillis(0.99));
        verdicts.add(new Verdict(
                "B7", "p99 within 100–103 ms", Verdict.number(millis) + " ms", millis >= 100 && millis <= 103));
    }

    private void metrics() {
        if (results.have(METERED)) {
            double with = results.median(METERED, Sample::perSecond);
            double without = results.median(INTERLOCK, Sample::perSecond);
            verdicts.add(Verdict.ratio("M1", "per second, with metrics", with, without, 0.97, INTERLOCK.title()));
        }
    }

    private void releasedEarly() {
        if (!results.have(EARLY)) {
            return;
        }
        double ours = results.median(EARLY, Sample::perSecond);
        if (results.have(LETTUCE)) {
            double theirs = results.median(LETTUCE, Sample::perSecond);
            verdicts.add(Verdict.ratio("B1E", "per second, released early", ours, theirs, 1.6, LETTUCE.title()));
        }
        double commands = results.median(EARLY, Sample::commandsPerOperation);
        verdicts.add(Verdict.atMost("B1E", "commands per pair, released early", commands, 2.01, ""));
    }

    private void retained() {
        if (!results.have(RETAINED)) {
            return;
        }
        double ours = results.median(RETAINED, Sample::perSecond);
        for (PeerKind peer : List.of(REDISSON, INTERLOCK)) {
            if (results.have(peer)) {
                double theirs = results.median(peer, Sample::perSecond);
                double least = peer == REDISSON ? 100 : 50;
                verdicts.add(Verdict.ratio("R1", "per second, retained", ours, theirs, least, peer.title()));
            }
        }
        // One request for as many acquisitions as a token has room for.
        double commands = 1024 * results.median(RETAINED, Sample::commandsPerOperation);
        verdicts.add(Verdict.atMost("R1", "commands per 1024 pairs, retained", commands, 1.5, ""));
    }

    private void retainedInTurn() {
        if (results.have(RETAINED)) {
            double with = results.median(RETAINED, Sample::commandsPerHandOver);
            double without = results.median(INTERLOCK, Sample::commandsPerHandOver);
            verdicts.add(Verdict.atMost("R2", "commands per hand-over more than without", with - without, 1, ""));
        }
    }

    private void faster(PeerKind peer, double least) {
        if (results.have(peer)) {
            double ours = results.median(INTERLOCK, Sample::perSecond);
            double theirs = results.median(peer, Sample::perSecond);
            verdicts.add(Verdict.ratio(scenario.id(), "per second", ours, theirs, least, peer.title()));
        }
    }
}
