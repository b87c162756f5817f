package dev.interlock.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Sets the wall clock of one JVM wrong: the JDK's own classes, drivers and ours all ask {@link WrongClock}.
 * {@link System#nanoTime()} is left alone, as it is when somebody sets the clock of a machine.
 */
public final class ClockAgent {

    private static final String WRONG = WrongClock.class.getName().replace('.', '/');

    /** The methods that read the wall clock, and the classes that have them. */
    private static final Map<String, String> SOURCES = Map.of(
            "currentTimeMillis", "java/lang/System",
            "getNanoTimeAdjustment", "jdk/internal/misc/VM");

    private ClockAgent() {}

    /** Options for a JVM whose clock is ahead by this; behind if negative. They name a file that goes with this JVM. */
    public static List<String> options(Duration ahead) {
        return List.of("-javaagent:" + jar() + "=" + ahead);
    }

    private static Path jar() {
        try {
            Path jar = Files.createTempFile("clock-agent", ".jar");
            jar.toFile().deleteOnExit();
            Manifest manifest = new Manifest();
            Attributes main = manifest.getMainAttributes();
            main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            main.putValue("Premain-Class", ClockAgent.class.getName());
            main.putValue("Can-Retransform-Classes", "true");
            // The JDK's classes see no others.
            main.putValue("Boot-Class-Path", jar.getFileName().toString());
            try (OutputStream file = Files.newOutputStream(jar);
                    JarOutputStream out = new JarOutputStream(file, manifest)) {
                String entry = WRONG + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream code = ClockAgent.class.getClassLoader().getResourceAsStream(entry)) {
                    if (code == null) {
                        throw new IllegalStateException("Not on the class path: " + entry);
                    }
                    code.transferTo(out);
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException("The agent was not written", e);
        }
    }

    /** The JVM calls this before {@code main}. */
    public static void premain(String ahead, Instrumentation jvm) throws UnmodifiableClassException {
        WrongClock.shift(Duration.parse(ahead));
        List<Class<?>> loaded = new ArrayList<>();
        for (Class<?> each : jvm.getAllLoadedClasses()) {
            if (jvm.isModifiableClass(each)) {
                loaded.add(each);
            }
        }
        jvm.addTransformer(new Redirection(), true);
        jvm.retransformClasses(loaded.toArray(new Class<?>[0]));
    }

    /**
     * Lets all other classes call {@link WrongClock}. In plain words: what it uses must not be loaded by way of itself,
     * as lambdas would be.
     */
    private static final class Redirection implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                ClassLoader loader, String name, Class<?> loaded, ProtectionDomain domain, byte[] code) {
            if (WRONG.equals(name)) {
                return null;
            }
            ClassReader reader = new ClassReader(code);
            ClassWriter writer = new ClassWriter(reader, 0);
            Calls calls = new Calls(writer);
            reader.accept(calls, 0);
            return calls.found ? writer.toByteArray() : null;
        }
    }

    private static final class Calls extends ClassVisitor {
        boolean found;

        Calls(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String type, @Nullable String signature, String @Nullable [] thrown) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, method, type, signature, thrown)) {
                @Override
                public void visitMethodInsn(int code, String owner, String name, String called, boolean ofInterface) {
                    super.visitMethodInsn(code, redirected(owner, name), name, called, ofInterface);
                }

                @Override
                public void visitInvokeDynamicInsn(String name, String called, Handle bootstrap, Object... arguments) {
                    Object[] redirected = arguments.clone();
                    for (int i = 0; i < redirected.length; i++) {
                        if (redirected[i] instanceof Handle handle) {
                            redirected[i] = redirected(handle);
                        }
                    }
                    super.visitInvokeDynamicInsn(name, called, bootstrap, redirected);
                }
            };
        }

        private Handle redirected(Handle handle) {
            return new Handle(
                    handle.getTag(),
                    redirected(handle.getOwner(), handle.getName()),
                    handle.getName(),
                    handle.getDesc(),
                    handle.isInterface());
        }

        private String redirected(String owner, String name) {
            if (!owner.equals(SOURCES.get(name))) {
                return owner;
            }
            found = true;
            return WRONG;
        }
    }
}
