package dev.interlock.cli;

import dev.interlock.cli.common.CommandException;
import dev.interlock.cli.common.ExitCode;
import dev.interlock.cli.common.Processes;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** The signals that are passed on to the program. */
enum OsSignal {
    /** The terminal was closed. */
    HUP(1),
    /** Ctrl-C. */
    INT(2),
    /** A request to end. */
    TERM(15),
    /**
     * Its meaning is the program's, for example to reopen a log file. Unhandled, it would end this process, and leave
     * the program without its lock.
     */
    USR1(10, 30),
    /** As {@link #USR1}. */
    USR2(12, 31);

    private final int onLinux;
    private final int onBsd;

    OsSignal(int number) {
        this(number, number);
    }

    OsSignal(int onLinux, int onBsd) {
        this.onLinux = onLinux;
        this.onBsd = onBsd;
    }

    /** The exit code of a process that this signal ended. */
    int exitCode() {
        return ExitCode.SIGNALLED + (System.getProperty("os.name", "").equals("Linux") ? onLinux : onBsd);
    }

    /** Sends the signal to a process. */
    void send(long pid) {
        if (this == TERM) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        } else {
            Processes.send(name(), pid);
        }
    }

    /**
     * Calls the handler, on a thread of its own, when this process receives one of the signals, which then does not end
     * it. A signal that is ignored from the start (as by {@code nohup}) stays ignored.
     */
    static void onReceived(Consumer<OsSignal> handler) {
        for (OsSignal signal : values()) {
            onReceived(signal.name(), () -> handler.accept(signal));
        }
    }

    /**
     * The same for a signal of this name, as {@code WINCH}.
     *
     * <p>This uses reflection, because the compiler warns of every mention of {@code sun.misc.Signal}, and that warning
     * cannot be suppressed. No supported API says which signal was received; a shutdown hook knows only that one was.
     * The class is part of the documented module {@code jdk.unsupported}.
     */
    static void onReceived(String signal, Runnable handler) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Method handle = signalType.getMethod("handle", signalType, handlerType);
            InvocationHandler invocation = (proxy, method, args) -> invoke(proxy, method, args, handler);
            Object proxy =
                    Proxy.newProxyInstance(OsSignal.class.getClassLoader(), new Class<?>[] {handlerType}, invocation);
            Object name = signalType.getConstructor(String.class).newInstance(signal);
            Object before = handle.invoke(null, name, proxy);
            if (before == handlerType.getField("SIG_IGN").get(null)) {
                // Java itself preserves this only for some signals. The program must inherit the same as without this
                // process.
                handle.invoke(null, name, before);
            }
        } catch (ReflectiveOperationException e) {
            throw new CommandException(ExitCode.DEFECT, "this Java cannot hand signals on: " + e, e);
        }
    }

    /** Ignores the signal of this name from now on. */
    static void ignore(String signal) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            signalType
                    .getMethod("handle", signalType, handlerType)
                    .invoke(
                            null,
                            signalType.getConstructor(String.class).newInstance(signal),
                            handlerType.getField("SIG_IGN").get(null));
        } catch (ReflectiveOperationException e) {
            throw new CommandException(ExitCode.DEFECT, "this Java cannot ignore signals: " + e, e);
        }
    }

    private static Object invoke(Object proxy, Method method, Object[] args, Runnable received) {
        return switch (method.getName()) {
            case "equals" -> proxy == args[0];
            case "hashCode" -> System.identityHashCode(proxy);
            case "toString" -> "handler";
            default -> {
                received.run();
                yield "";
            }
        };
    }
}
