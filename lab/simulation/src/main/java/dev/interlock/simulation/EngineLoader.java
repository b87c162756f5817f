package dev.interlock.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the engine and the simulation once more: with some classes from another folder, which a bug was planted in, or
 * with state machines that report their moves to {@link Moves}. So the engine needs nothing for it.
 */
final class EngineLoader extends ClassLoader {

    static {
        boolean unused = registerAsParallelCapable();
    }

    private static final String OURS = "dev.interlock.";
    private static final Set<String> MACHINES = Set.of(
            "dev.interlock.engine.ClaimLife", "dev.interlock.engine.PendingRelease", "dev.interlock.engine.Retention");

    private final @Nullable Path first;

    /** @param first the folder whose classes come before others; null to have the moves counted */
    EngineLoader(@Nullable Path first) {
        super(EngineLoader.class.getClassLoader());
        this.first = first;
        setDefaultAssertionStatus(true);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try {
            byte[] bytes = read(file);
            if (first == null && MACHINES.contains(name)) {
                bytes = counting(bytes);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] read(String file) throws IOException {
        if (first != null && Files.exists(first.resolve(file))) {
            return Files.readAllBytes(first.resolve(file));
        }
        try (InputStream stream = getParent().getResourceAsStream(file)) {
            if (stream == null) {
                throw new IOException("There is no such class: " + file);
            }
            return stream.readAllBytes();
        }
    }

    /** Has {@code transition(to, ..)} begin with {@code Moves.moved(this.state, to)}. */
    private static byte[] counting(byte[] machine) {
        ClassReader reader = new ClassReader(machine);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String type,
                            @Nullable String generic,
                            String @Nullable [] thrown) {
                        MethodVisitor method = super.visitMethod(access, name, type, generic, thrown);
                        return name.equals("transition") ? counting(method, reader.getClassName(), type) : method;
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static MethodVisitor counting(MethodVisitor method, String owner, String type) {
        String state = type.substring(1, type.indexOf(';') + 1);
        return new MethodVisitor(Opcodes.ASM9, method) {
            @Override
            public void visitCode() {
                super.visitCode();
                visitVarInsn(Opcodes.ALOAD, 0);
                visitFieldInsn(Opcodes.GETFIELD, owner, "state", state);
                visitVarInsn(Opcodes.ALOAD, 1);
                visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "dev/interlock/simulation/Moves",
                        "moved",
                        "(Ljava/lang/Enum;Ljava/lang/Enum;)V",
                        false);
            }
        };
    }

    /** Calls a static method of a class of this loader. */
    @Nullable
    Object call(Class<?> type, String method, Class<?>[] types, Object... arguments) {
        try {
            return loadClass(type.getName()).getMethod(method, types).invoke(null, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Could not call " + type.getSimpleName() + "." + method + " with classes of another loader", e);
        }
    }

    /** Whether this class was loaded by such a loader. */
    static boolean isInside() {
        // Of another loader the class has another identity.
        return EngineLoader.class.getClassLoader().getClass().getName().equals(EngineLoader.class.getName());
    }

    /** A folder below the module's target. */
    static Path target(String name) {
        Path folder = Path.of(System.getProperty("interlock.target", "lab/simulation/target"), name);
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create " + folder, e);
        }
    }
}
