package dev.interlock.testkit.process;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Says what time it is, in milliseconds, by every way that the JDK has. */
final class ClockMain {

    private ClockMain() {}

    @SuppressWarnings("JavaUtilDate") // drivers still use it
    public static void main(String[] arguments) throws InterruptedException {
        ChildMain parent = new ChildMain();
        LongSupplier reference = System::currentTimeMillis;
        parent.say("reference " + reference.getAsLong());
        parent.say("system " + System.currentTimeMillis());
        parent.say("instant " + Instant.now().toEpochMilli());
        parent.say("local "
                + LocalDateTime.now(ZoneOffset.UTC).toInstant(ZoneOffset.UTC).toEpochMilli());
        parent.say("date " + new Date().getTime());
        parent.say("calendar " + Calendar.getInstance().getTimeInMillis());
        long begun = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(1);
        parent.say("passed " + (System.nanoTime() - begun));
        System.exit(0);
    }
}
