package dev.interlock.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes a plan that fails smaller, as long as it breaks the same rule. */
final class Shrinker {

    private Shrinker() {}

    /** The smallest plan that is found; of each of its steps the run depends. */
    static Plan shrink(Plan failing, Violation.Rule rule) {
        Plan smallest = failing;
        boolean smaller = true;
        while (smaller) {
            smaller = false;
            for (Plan candidate : candidates(smallest)) {
                if (breaks(candidate, rule)) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    private static boolean breaks(Plan plan, Violation.Rule rule) {
        Optional<Violation> violation = Checker.check(plan, World.run(plan));
        return violation.isPresent() && violation.get().rule() == rule;
    }

    /** The plans that are a little smaller: first those with a step less, then those with a simpler one. */
    private static List<Plan> candidates(Plan plan) {
        List<Plan> candidates = new ArrayList<>();
        for (int i = plan.steps().size() - 1; i >= 0; i--) {
            candidates.add(plan.without(i));
        }
        for (int i = 0; i < plan.steps().size(); i++) {
            for (Step simpler : simpler(plan.steps().get(i))) {
                candidates.add(plan.with(i, simpler));
            }
        }
        return candidates;
    }

    private static List<Step> simpler(Step step) {
        List<Step> simpler = new ArrayList<>();
        if (step instanceof Ask ask) {
            if (ask.leaveNanos() > 0) {
                simpler.add(with(ask, ask.want(), ask.holdNanos(), ask.end(), 0));
            }
            if (ask.end() != Ask.End.RELEASE) {
                simpler.add(with(ask, ask.want(), ask.holdNanos(), Ask.End.RELEASE, ask.leaveNanos()));
            }
            if (ask.want() != Ask.Want.FOR_EVER) {
                simpler.add(with(ask, Ask.Want.FOR_EVER, ask.holdNanos(), ask.end(), ask.leaveNanos()));
            }
            if (ask.holdNanos() > 1_000) {
                simpler.add(with(ask, ask.want(), ask.holdNanos() / 8, ask.end(), ask.leaveNanos()));
            }
        } else if (step instanceof Fault fault && fault.lastsNanos() > 1_000) {
            simpler.add(new Fault(
                    fault.kind(),
                    fault.process(),
                    fault.atNanos(),
                    fault.lastsNanos() / 2,
                    fault.size(),
                    fault.server()));
        }
        return simpler;
    }

    private static Ask with(Ask ask, Ask.Want want, long holdNanos, Ask.End end, long leaveNanos) {
        return new Ask(
                ask.number(),
                ask.process(),
                ask.name(),
                ask.atNanos(),
                want,
                ask.waitNanos(),
                ask.share(),
                ask.isFixed(),
                ask.leaseNanos(),
                ask.mostNanos(),
                holdNanos,
                end,
                leaveNanos);
    }
}
