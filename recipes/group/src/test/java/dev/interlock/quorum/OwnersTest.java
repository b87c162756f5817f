package dev.interlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.spi.OwnerId;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class OwnersTest {

    @Test
    void anOwner_isReadAgain_inALocaleWithDigitsOfItsOwn() {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("th-TH-u-nu-thai"));
        try {
            assertThat(String.format("%d", 1))
                    .as("the locale has digits of its own")
                    .isNotEqualTo("1");
            OwnerId owner = OwnerId.of("client", 7);
            OwnerId inStores = Owners.inRound(owner, 12);
            assertThat(inStores.value()).endsWith(":7000000012");
            assertThat(Owners.ofQuorum(inStores)).isEqualTo(owner);
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }

    /** Of a claim of a store that is used without a quorum, too. */
    @Test
    void ownerOfAnotherClient_isReadAsItIs() {
        for (String other : List.of("client:123456789", "client:1234567890x", "client:x1234567890", "client:", "x")) {
            assertThat(Owners.ofQuorum(new OwnerId(other)).value()).isEqualTo(other);
        }
        assertThat(Owners.ofQuorum(new OwnerId("client:9999999999")).value()).isEqualTo("client:9");
        assertThat(Owners.ofQuorum(new OwnerId("client:1000000000")).value()).isEqualTo("client:1");
    }
}
