package dev.interlock.redis.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplyTest {

    /** Whatever a server says is to come: room is made for what has. */
    @Test
    void theLengthOfAListIsNotBelieved() {
        Reply list = new Reply();
        list.multi(Integer.MAX_VALUE);
        list.set(7);
        Reply map = new Reply();
        map.multiMap(Integer.MAX_VALUE);
        map.set(7);

        assertThat(list.elements()).containsExactly("7");
        assertThat(map.elements()).containsExactly("7");
        assertThat(map.lengths()).containsExactly(Integer.MAX_VALUE);
    }
}
