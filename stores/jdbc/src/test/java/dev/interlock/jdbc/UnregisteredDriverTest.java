package dev.interlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.jdbc.fixture.Client;
import dev.interlock.jdbc.fixture.UnregisteredDriver;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A driver of the application that has not registered itself. */
class UnregisteredDriverTest {

    private static final String URL = UnregisteredDriver.URL + "x";

    @Test
    void unregisteredDriver_isFoundAndUsed() {
        assertThatThrownBy(() -> DriverManager.getDriver(URL)).isInstanceOf(SQLException.class);
        try (Client client = new Client(URL)) {
            client.hold("x");
            assertThat(client.inspect("x").isLocked()).isTrue();
        }
    }

    @Test
    void missingDriver_isNamed() {
        assertThatThrownBy(() -> new Client("jdbc:mysql:none"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("There is no JDBC driver for jdbc:mysql:");
    }
}
