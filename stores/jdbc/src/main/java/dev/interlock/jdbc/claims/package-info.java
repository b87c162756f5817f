/**
 * The operations on claims. {@code AcquireOperation}, {@code ReleaseOperation}, {@code RenewOperation} and
 * {@code InspectOperation} run on a {@link dev.interlock.jdbc.session.Session}. What one statement cannot decide is
 * decided in a transaction: {@code NameTables} locks and reads the rows of one name, {@code LoadedName} applies the
 * {@linkplain dev.interlock.support.rules rules} to them, and {@code NameChanges} has the statements that write the
 * difference. Begin with {@code AcquireOperation}.
 */
@NullMarked
package dev.interlock.jdbc.claims;

import org.jspecify.annotations.NullMarked;
