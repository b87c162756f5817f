package dev.interlock.testkit.contract.recipe;

import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormTable;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The table of forms over what is built on locks: permits, latches, barriers, elections. The test of a store inherits
 * this class and says how a client of the store is opened. By default it has the days on which something ends that
 * somebody uses or waits for; the others are wide.
 */
public abstract class RecipeTable extends FormTable {

    /** Opens another client of the same shared data, as another process would. */
    protected abstract LockStore openStore();

    @Override
    protected final Supplier<LockStore> sessions() {
        return this::openStore;
    }

    @Override
    protected Set<Day> usualDays() {
        return EnumSet.of(Day.BUSY_AND_GIVEN_UP, Day.BUSY_AND_CLOSED, Day.LOST, Day.CLOSING);
    }

    @Override
    protected Map<String, Form> forms() {
        Map<String, Form> forms = new LinkedHashMap<>();
        forms.put("permit", new PermitForm());
        forms.put("permit as a stage", new PermitStageForm());
        forms.put("latch", new LatchForm());
        forms.put("latch as a stage", new LatchStageForm());
        forms.put("barrier", new BarrierForm());
        forms.put("barrier as a stage", new BarrierStageForm());
        forms.put("double barrier", new DoubleBarrierForm());
        forms.put("leader's task", new LeaderTaskForm());
        return forms;
    }
}
