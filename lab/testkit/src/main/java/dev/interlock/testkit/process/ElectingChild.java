package dev.interlock.testkit.process;

import dev.interlock.Candidacy;
import dev.interlock.Candidate;
import dev.interlock.Interlock;
import dev.interlock.LeadershipEnd;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process with several candidates, each with a client of its own: URI, name, length of the lease, how many, and
 * whether they are honest. Tells again and again which of them leads, as {@code leads TOKEN BEFORE AFTER CANDIDATE}:
 * between these two moments {@code isLeader()} was true. One that has lost its leadership writes once more: {@code late
 * TOKEN CANDIDATE}. Those that are not honest go on to say that they lead.
 */
public final class ElectingChild {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final ChildMain parent = new ChildMain();
    private final List<Member> members = new ArrayList<>();

    private ElectingChild() {}

    public static void main(String[] arguments) {
        LockOptions options = LockOptions.builder()
                .lease(LeaseTerm.renewing(Duration.parse(arguments[2])))
                .build();
        boolean honest = Boolean.parseBoolean(arguments[4]);
        new ElectingChild().run(arguments[0], arguments[1], options, Integer.parseInt(arguments[3]), honest);
    }

    private void run(String uri, String name, LockOptions options, int candidates, boolean honest) {
        parent.dieWithParent();
        for (int i = 0; i < candidates; i++) {
            Member member = new Member(ProcessHandle.current().pid() + "/" + i, honest);
            member.join(uri, name, options);
            members.add(member);
        }
        parent.say("ready");
        while (true) {
            members.forEach(Member::tell);
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private final class Member implements Candidate {
        private final String who;
        private final boolean honest;
        private @Nullable Candidacy candidacy;
        private volatile @Nullable Lease last;

        Member(String who, boolean honest) {
            this.who = who;
            this.honest = honest;
        }

        void join(String uri, String name, LockOptions options) {
            Interlock client = Interlock.connect(uri);
            candidacy = client.election(name, options).join(this);
        }

        @Override
        public void elected(Lease leadership) {
            last = leadership;
        }

        @Override
        public void ended(Lease leadership, LeadershipEnd end) {
            if (end.reason() == LeadershipEnd.Reason.LOST) {
                parent.say("late " + leadership.token() + " " + who);
            }
        }

        void tell() {
            Candidacy own = candidacy;
            Lease lease = own == null || !honest ? last : own.leadership().orElse(null);
            if (own == null || lease == null) {
                return;
            }
            long before = System.nanoTime();
            boolean leads = own.isLeader() || !honest;
            long after = System.nanoTime();
            // A leadership does not come back: so the answer was about this one.
            boolean same = !honest || own.leadership().equals(Optional.of(lease));
            if (leads && same) {
                parent.say("leads " + lease.token() + " " + before + " " + after + " " + who);
            }
        }
    }
}
