package dev.interlock.redis;

import io.lettuce.core.cluster.SlotHash;

/**
 * A number for each slot of a cluster: the smallest whose decimal text, as a hash tag, has that slot. Part of the
 * format, since keys contain it.
 */
final class SlotTags {

    private SlotTags() {}

    static int numberOf(int slot) {
        return Table.NUMBERS[slot];
    }

    /** As {@link #numberOf}, without the table: faster for a single number. */
    static int find(int slot) {
        int number = 1;
        while (SlotHash.getSlot(Integer.toString(number)) != slot) {
            number++;
        }
        return number;
    }

    /**
     * Created at the first use, which takes a while on a JVM that has just started. Only names with braces but no tag
     * need it.
     */
    private static final class Table {
        private static final int[] NUMBERS = numbers();
    }

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
