package dev.interlock.annotation.spi;

import dev.interlock.Interlock;
import dev.interlock.Lease;
import dev.interlock.LeaseTerm;
import dev.interlock.annotation.Locked;
import dev.interlock.annotation.LockedMethodException;
import dev.interlock.spi.Capability;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One {@link Locked} on one method, parsed and checked: what is wrong with it is found when the application starts.
 * Immutable, but for what its last run was.
 */
// The annotation of null is for the build and for readers: a user does not need it.
@SuppressWarnings("exports")
public final class LockedOperation {

    private static final Duration LONGEST_LAPSE = Duration.ofDays(365);

    private final Locked annotation;
    private final Method method;
    private final List<NameTemplate> names;
    private final ResultForms forms;
    private final ResultForm form;
    private final Class<?> skippedType;

    /** How the publisher is handled that the method returns; null if it returns none. */
    private final @Nullable PublisherType publisher;

    private final @Nullable Duration wait;
    private final @Nullable LeaseTerm lease;
    private final @Nullable Duration atLeast;
    private final @Nullable Method fallback;

    /** Whether the last call was skipped because the lock was busy. */
    private final AtomicBoolean skipping = new AtomicBoolean();

    /**
     * Parses an annotation.
     *
     * @param method the method of the class
     * @param type the class, which may extend the one that declares the method
     * @param expressions the language of its texts
     * @param forms the forms that methods may have
     * @throws LockedMethodException if a rule is broken; the message says which, and where
     */
    public LockedOperation(
            Locked annotation, Method method, Class<?> type, Expressions expressions, ResultForms forms) {
        this.annotation = annotation;
        this.method = method;
        this.forms = forms;
        require(forms.problem(method, type));
        this.form = forms.of(method, type);
        this.publisher = form == ResultForm.PUBLISHER ? forms.publisher(method, type) : null;
        this.skippedType = forms.valueType(method, type);
        requireSkippable(forms.type(method, type));
        if (annotation.value().length == 0) {
            throw refusal("names no lock: give it one name or more");
        }
        this.names = Arrays.stream(annotation.value())
                .map(template -> name(template, expressions))
                .toList();
        this.wait = duration("waitAtMost", annotation.waitAtMost(), expressions);
        if (wait != null && wait.isNegative()) {
            throw refusal("has a negative wait: waitAtMost = \"" + annotation.waitAtMost()
                    + "\": write 0s to try once, or leave it out to wait without limit");
        }
        Duration length = duration("lease", annotation.lease(), expressions);
        this.lease = length == null ? null : term(length);
        this.atLeast = duration("atLeast", annotation.atLeast(), expressions);
        requirePermits();
        requireLapsing(length);
        this.fallback = annotation.onBusy() == Locked.OnBusy.FALLBACK ? fallback(type) : null;
        if (annotation.onBusy() != Locked.OnBusy.FALLBACK
                && !annotation.fallback().isEmpty()) {
            throw refusal("has fallback = \"" + annotation.fallback() + "\", but onBusy = " + annotation.onBusy()
                    + ": set onBusy = FALLBACK, or remove the fallback");
        }
        if (annotation.onBusy() != Locked.OnBusy.THROW && wait == null) {
            throw refusal("has onBusy = " + annotation.onBusy() + ", but waits without limit, so that it never takes"
                    + " effect: set waitAtMost, such as \"0s\"");
        }
    }

    Locked annotation() {
        return annotation;
    }

    Method method() {
        return method;
    }

    /** When the work of the method is over. */
    ResultForm form() {
        return form;
    }

    /** The forms that methods may have. */
    ResultForms forms() {
        return forms;
    }

    /** How the publisher is handled that the method returns; null if it returns none, as a suspending function. */
    @Nullable
    PublisherType publisher() {
        return publisher;
    }

    /** What the caller gets if the method does not run, in the form of the method; null for an empty publisher. */
    @Nullable
    Object skipped() {
        if (publisher != null) {
            return null;
        }
        Object value = forms.skipped(skippedType);
        return form == ResultForm.STAGE ? CompletableFuture.completedFuture(value) : value;
    }

    /** How long to wait; null to wait without limit. */
    @Nullable
    Duration waitLimit() {
        return wait;
    }

    /** The term that the annotation gives; null if the defaults of the name count. */
    @Nullable
    LeaseTerm lease() {
        return lease;
    }

    /** For how long a lock that was acquired at this moment has to stay locked yet; zero if for no time. */
    Duration leftToLapse(long acquiredNanos) {
        if (atLeast == null) {
            return Duration.ZERO;
        }
        Duration left = atLeast.minusNanos(System.nanoTime() - acquiredNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Refuses a client whose store cannot keep a lock for {@code atLeast}.
     *
     * @throws UnsupportedOperationException if it cannot
     */
    void requireLapsing(Interlock client) {
        if (atLeast != null && !client.capabilities().contains(Capability.LAPSE)) {
            throw new UnsupportedOperationException("The store cannot keep a lock after the end of the method: atLeast="
                    + annotation.atLeast() + ", on " + where() + "; leave that out, or use another store");
        }
    }

    /** What runs if the lock is not available; null if nothing does. */
    @Nullable
    Method fallback() {
        return fallback;
    }

    /**
     * The names of the locks for this call, each once.
     *
     * @throws IllegalArgumentException if there is none, or it would not be the same each time
     */
    List<String> names(Call call) {
        return names.stream().map(name -> name.name(call)).distinct().toList();
    }

    /** The arguments, with the lease where the method has a parameter for one. */
    public static @Nullable Object[] withLease(Method method, @Nullable Object[] args, @Nullable Lease lease) {
        @Nullable Object[] changed = args;
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == Lease.class) {
                changed = changed == args ? args.clone() : changed;
                changed[i] = lease;
            }
        }
        return changed;
    }

    /** A call is skipped because the lock is busy; returns whether the one before was not. */
    boolean skips() {
        return !skipping.getAndSet(true);
    }

    /** A call has the lock. */
    void runs() {
        skipping.set(false);
    }

    /** The method, for messages. */
    String where() {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    // ---- checks

    private void require(@Nullable String problem) {
        if (problem != null) {
            throw refusal(problem);
        }
    }

    private void requireSkippable(Class<?> resultType) {
        boolean isSkipped =
                annotation.onBusy() == Locked.OnBusy.SKIP || annotation.onUnavailable() == Locked.OnUnavailable.SKIP;
        if (!isSkipped) {
            return;
        }
        if (publisher == null) {
            require(forms.skippedProblem(skippedType));
        } else if (!publisher.supportsEmpty()) {
            throw refusal(
                    "may be skipped, but a " + resultType.getName() + " cannot be empty: return a publisher that can");
        }
    }

    private void requirePermits() {
        boolean ofPermits = annotation.kind() == Locked.Kind.PERMITS;
        if (!ofPermits && (annotation.permits() != 1 || annotation.capacity() != 1)) {
            throw refusal("has permits or a capacity, but kind = " + annotation.kind() + ": set kind = PERMITS");
        }
        if (annotation.permits() < 1 || annotation.capacity() < annotation.permits()) {
            throw refusal("must take from 1 permit to its capacity: permits=" + annotation.permits() + ", capacity="
                    + annotation.capacity());
        }
        if (ofPermits && annotation.value().length > 1) {
            throw refusal("names several semaphores: repeat the annotation, once for each name");
        }
    }

    private void requireLapsing(@Nullable Duration length) {
        if (atLeast == null) {
            return;
        }
        if (annotation.kind() == Locked.Kind.READ) {
            throw refusal("has atLeast, but kind = READ, and a read lock cannot be left to lapse: remove it");
        }
        if (atLeast.isNegative() || atLeast.compareTo(LONGEST_LAPSE) > 0) {
            throw refusal("has atLeast = \"" + annotation.atLeast() + "\": it must be from 0 s to 365 days");
        }
        if (length != null && atLeast.compareTo(length) > 0) {
            throw refusal("has atLeast = \"" + annotation.atLeast() + "\", which is longer than lease = \""
                    + annotation.lease() + "\": make the lease longer, or leave it out to have it renewed");
        }
    }

    private NameTemplate name(String template, Expressions expressions) {
        String text = resolved("value", template, expressions);
        if (text.isEmpty()) {
            throw refusal("has an empty name: a name has at least one character");
        }
        try {
            return expressions.name(text, method);
        } catch (IllegalArgumentException e) {
            throw refusal(e.getMessage());
        }
    }

    private @Nullable Duration duration(String attribute, String text, Expressions expressions) {
        String resolved = resolved(attribute, text, expressions);
        if (resolved.isEmpty()) {
            return null;
        }
        try {
            return Durations.parse(resolved);
        } catch (IllegalArgumentException e) {
            throw refusal("has " + attribute + " = \"" + resolved + "\", " + e.getMessage());
        }
    }

    private LeaseTerm term(Duration length) {
        try {
            return LeaseTerm.fixed(length);
        } catch (IllegalArgumentException e) {
            throw refusal("has a lease that cannot be: " + e.getMessage());
        }
    }

    private String resolved(String attribute, String text, Expressions expressions) {
        try {
            return expressions.resolve(text);
        } catch (IllegalArgumentException e) {
            throw refusal("has " + attribute + " = \"" + text + "\": " + e.getMessage());
        }
    }

    private Method fallback(Class<?> type) {
        if (annotation.fallback().equals(method.getName())) {
            throw refusal("has itself as its fallback, which would run without the lock: name another method");
        }
        Method found = find(type, annotation.fallback(), method.getParameterTypes());
        if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
            throw refusal("has onBusy = FALLBACK, but " + type.getName() + " has no method '" + annotation.fallback()
                    + "' with the same parameters and result: " + method.toGenericString());
        }
        if (!Modifier.isPublic(found.getModifiers())
                || !Modifier.isPublic(found.getDeclaringClass().getModifiers())) {
            found.setAccessible(true);
        }
        return found;
    }

    /** A method of a class, or of a type that it extends; not a bridge to it if there is another. */
    private static @Nullable Method find(Class<?> type, String name, Class<?>[] parameters) {
        List<Method> declared = Stream.concat(
                        Stream.of(type.getDeclaredMethods()),
                        Stream.of(type.getInterfaces())
                                .flatMap(parent -> Stream.of(parent.getMethods()))
                                .filter(inherited -> type.isInterface() || inherited.isDefault()))
                .filter(known -> known.getName().equals(name) && Arrays.equals(known.getParameterTypes(), parameters))
                .toList();
        Method bridge = null;
        for (Method known : declared) {
            if (!known.isBridge()) {
                return known;
            }
            bridge = known;
        }
        Class<?> parent = type.getSuperclass();
        return bridge != null || parent == null ? bridge : find(parent, name, parameters);
    }

    private LockedMethodException refusal(@Nullable String problem) {
        return new LockedMethodException("@Locked on " + where() + " " + problem);
    }
}
