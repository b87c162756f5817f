package dev.interlock.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The demonstration can fail: what its table is made from tells right from wrong. */
final class ReportTest {

    @Test
    void register_refusesEveryTokenThatIsNotHigher() {
        Register register = new Register();

        assertThat(register.write(5)).isTrue();
        assertThat(register.write(9)).isTrue();
        assertThat(register.write(9)).isFalse();
        assertThat(register.write(5)).isFalse();
        assertThat(register.write(10)).isTrue();
        assertThat(register.refused()).isEqualTo(2);
        assertThat(register.highest()).isEqualTo(10);
    }

    @Test
    void report_isRightOnlyIfEveryNumberIs() {
        Report report = new Report();
        report.row("increments", 5, 5);
        assertThat(report.isRight()).isTrue();
        assertThat(Demo.conclude(report)).isTrue();
        report.row("late writes refused", 1, 0);
        report.row("hand-overs", ">= 1", "3", true);

        assertThat(report.isRight()).isFalse();
        assertThat(Demo.conclude(report)).isFalse();
        assertThat(report.text().lines().filter(line -> line.endsWith("WRONG")))
                .singleElement()
                .asString()
                .startsWith("late writes refused");
    }
}
