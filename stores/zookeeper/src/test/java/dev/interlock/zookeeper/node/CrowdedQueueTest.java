package dev.interlock.zookeeper.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CrowdedQueueTest {

    private static NodeQueue queue(int length, Random random, String... roles) {
        return new NodeQueue(NodeQueue.ordered(IntStream.range(0, length)
                .mapToObj(i -> "_c_%08d-%s%010d"
                        .formatted(
                                i,
                                roles[random.nextInt(roles.length)],
                                random.nextInt(10) == 0 ? -1 - random.nextInt(5) : random.nextInt(1 + 2 * length)))
                .toList()));
    }

    @Test
    void thoseThatHold_areThoseWithNobodyInTheirWay() {
        Random random = new Random(3);
        for (int round = 0; round < 2000; round++) {
            for (NodeQueue queue : List.of(
                    queue(round % 7, random, "lock-"),
                    queue(round % 7, random, "__READ__", "__WRIT__"),
                    queue(round % 7, random, "__READ__", "__READ__", "__READ__", "__WRIT__"))) {
                assertThat(queue.holding())
                        .isEqualTo(queue.all().stream().filter(queue::holds).toList());
            }
        }
    }

    /** So many that work for each pair of them would take minutes. */
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void aCrowd_isReadInOnePass() {
        assertThat(queue(200_000, new Random(4), "__READ__").holding()).hasSize(200_000);
        assertThat(queue(200_000, new Random(5), "__WRIT__").holding()).hasSizeLessThan(10);
    }
}
