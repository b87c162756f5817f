package dev.interlock.redis;

import io.lettuce.core.cluster.SlotHash;

/** A number for each slot of a cluster: the smallest whose decimal text has that slot. Part of the format: it stands in keys. */
final class Slots {

    private static final int[] NUMBERS = numbers();

    private Slots() {}

    static int numberOf(int slot) {
        return NUMBERS[slot];
    }

    /** Takes some milliseconds, and only names with odd braces need it. */
    private static int[] numbers() {
        int[] numbers = new int[SlotHash.SLOT_COUNT];
        int missing = numbers.length;
        for (int number = 1; missing > 0; number++) {
            int slot = SlotHash.getSlot(Integer.toString(number));
            if (numbers[slot] == 0) {
                numbers[slot] = number;
                missing--;
            }
        }
        return numbers;
    }
}
