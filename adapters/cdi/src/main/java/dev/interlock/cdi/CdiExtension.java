package dev.interlock.cdi;

import dev.interlock.Interlock;
import dev.interlock.annotation.Locked;
import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Discovery;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Registration;
import jakarta.enterprise.inject.build.compatible.spi.ScannedClasses;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.lang.model.AnnotationTarget;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Adds Interlock to a container while that is built, which Quarkus does at build time: a client, unless the application
 * has its own, and an interceptor for methods with {@link Locked}. Containers find it by {@code META-INF/services}.
 */
public class CdiExtension implements BuildCompatibleExtension {

    /** What may be on a class or a method: one annotation, or the container of several. */
    private static final Set<Class<? extends java.lang.annotation.Annotation>> ANNOTATIONS =
            Set.of(Locked.class, Locked.All.class);

    private final Set<String> annotated = new HashSet<>();

    /** The classes of beans with annotated methods, by name. */
    private final Map<String, ClassInfo> locked = new LinkedHashMap<>();

    private boolean hasClient;

    /** For the container. */
    public CdiExtension() {}

    /** What is in this jar, which is no archive of beans. */
    @Discovery
    public void discover(ScannedClasses classes) {
        classes.add(CdiFramework.class.getName());
        classes.add(LockedInterceptor.class.getName());
    }

    /** Binds the interceptor to a class with the annotation, and to methods with it. */
    @Enhancement(
            types = Object.class,
            withSubtypes = true,
            withAnnotations = {Locked.class, Locked.All.class})
    public void bind(ClassConfig type) {
        ClassInfo info = type.info();
        annotated.add(info.name());
        for (ClassInfo known = info; known != null; known = known.superClassDeclaration()) {
            if (isAnnotated(known)) {
                type.addAnnotation(HoldsLocks.class);
                break;
            }
        }
        type.methods().stream()
                .filter(method -> isAnnotated(method.info()))
                .forEach(method -> method.addAnnotation(HoldsLocks.class));
    }

    private static boolean isAnnotated(AnnotationTarget target) {
        return ANNOTATIONS.stream().anyMatch(target::hasAnnotation);
    }

    /** Whether the application has a client of its own, whatever its qualifiers. */
    @Registration(types = Interlock.class)
    public void findClient(BeanInfo bean) {
        hasClient = true;
    }

    /** Which beans are checked at the start: other classes may never be called. */
    @Registration(types = Object.class)
    public void findLocked(BeanInfo bean) {
        if (bean.isClassBean()) {
            for (ClassInfo known = bean.declaringClass(); known != null; known = known.superClassDeclaration()) {
                if (annotated.contains(known.name())) {
                    locked.put(bean.declaringClass().name(), bean.declaringClass());
                }
            }
        }
    }

    /** Adds the client, and what there is to check. */
    @Synthesis
    public void add(SyntheticComponents components) {
        components
                .addBean(LockedTypes.class)
                .type(LockedTypes.class)
                .scope(Singleton.class)
                .withParam("types", locked.values().toArray(ClassInfo[]::new))
                .createWith(LockedTypes.Creator.class);
        if (!hasClient) {
            components
                    .addBean(Interlock.class)
                    .type(Interlock.class)
                    .scope(Singleton.class)
                    .createWith(ClientCreator.class)
                    .disposeWith(ClientDisposer.class);
        }
    }
}
