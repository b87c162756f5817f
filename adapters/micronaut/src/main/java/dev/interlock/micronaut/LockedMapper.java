package dev.interlock.micronaut;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.NamedAnnotationMapper;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;

/**
 * Has Micronaut's compiler treat {@link dev.interlock.annotation.Locked} as advice. It runs on the path of annotation
 * processors, where the classes of the annotations may be missing: so it names them.
 */
public final class LockedMapper implements NamedAnnotationMapper {

    private static final String LOCKED = "dev.interlock.annotation.Locked";
    private static final String ADVICE = "dev.interlock.micronaut.LockedAdvice";

    /** Made by the compiler. */
    public LockedMapper() {}

    @Override
    public String getName() {
        return LOCKED;
    }

    @Override
    public List<AnnotationValue<?>> map(AnnotationValue<Annotation> annotation, VisitorContext context) {
        return List.of(AnnotationValue.builder(ADVICE).build());
    }
}
