package dev.interlock.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void byDefaultEverythingIsStruckForSixMinutes() {
        Options options = Options.parse(List.of());

        assertThat(options.faults()).containsExactly(Fault.values());
        assertThat(options.subjects()).containsExactly(Subject.values());
        assertThat(options.time()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void aLibraryStandsForAllOfItsSettings() {
        Options options = Options.parse(List.of("--subject", "spring,redisson-fenced", "--fault", "kill"));

        assertThat(options.subjects())
                .containsExactly(
                        Subject.SPRING_REDIS,
                        Subject.SPRING_REDIS_RENEWING,
                        Subject.SPRING_JDBC,
                        Subject.SPRING_JDBC_RENEWING,
                        Subject.REDISSON_FENCED);
    }

    @ParameterizedTest
    @CsvSource({
        "--fault,            nothing,          leader",
        "--subject,          nothing,          interlock-redis",
        "--seconds,          0,                1 or more",
        "--minutes,          soon,             whole number",
        "--colour,           red,              --fault",
    })
    void wrongArguments_areToldWhatIsAllowed(String option, String value, String allowed) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of(option, value)))
                .withMessageContaining(value.equals("red") ? option : value)
                .withMessageContaining(allowed);
    }

    @Test
    void aFaultThatNoneOfTheStoresHas_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse(List.of("--fault", "flush", "--subject", "curator")))
                .withMessageContaining("--fault flush --subject curator,curator-listening");
    }
}
