package dev.interlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.DistributedSemaphore;
import dev.interlock.Interlock;
import dev.interlock.Lease;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the numbers of permits are written, and the largest of them. */
class PermitNumbersTest {

    @RegisterExtension
    private static final TestServer SERVER = TestServer.shared();

    private final Locale before = Locale.getDefault(Locale.Category.FORMAT);
    private final Interlock client = SERVER.interlock();

    @AfterEach
    void close() {
        client.close();
        Locale.setDefault(Locale.Category.FORMAT, before);
    }

    /** Thai digits are no digits of a name. */
    @Test
    void P20_permits_areSeen_whateverTheDigitsOfTheLocale() throws Exception {
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("th-TH-u-nu-thai"));
        assertThat(String.format("%d", 1))
                .as("the locale has digits of its own")
                .isNotEqualTo("1");
        DistributedSemaphore semaphore = client.semaphore("digits", 3);

        try (Lease two = semaphore.acquire(2)) {
            assertThat(two.isValid()).isTrue();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(semaphore.inspect().holders()).hasSize(1);
        }
    }

    @Test
    void theLargestCapacity_counts() throws Exception {
        DistributedSemaphore semaphore = client.semaphore("largest", Integer.MAX_VALUE);
        semaphore.resize(Integer.MAX_VALUE);
        assertThat(client.semaphore("largest", 1).capacity()).isEqualTo(Integer.MAX_VALUE);

        try (Lease one = semaphore.acquire()) {
            assertThat(one.isValid()).isTrue();
            assertThat(semaphore.tryAcquire(Integer.MAX_VALUE)).isEmpty();
        }
    }
}
