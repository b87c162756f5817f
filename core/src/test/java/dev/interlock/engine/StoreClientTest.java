package dev.interlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreClientTest {

    /** On SQL a store leaves out claims whose rows others keep locked; on several nodes those of a silent node. */
    @Test
    void claimThatAnAnswerLeavesOut_mayBeLockedByOthers() {
        assertThat(StoreClient.notRenewed("lock 'a'", null, 0))
                .hasMessage("Could not renew lock 'a': the store answered without it: its node is silent, or others"
                        + " keep it locked");
    }
}
