package dev.interlock.micronaut;

import dev.interlock.Interlock;
import dev.interlock.LockOptions;
import dev.interlock.annotation.SkipObserver;
import dev.interlock.annotation.spi.Framework;
import dev.interlock.annotation.spi.RunningMethods;
import io.micronaut.context.BeanContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;

/** What is looked up among the beans of an application. Thread-safe. */
@Singleton
final class MicronautFramework implements Framework {

    private final BeanContext beans;
    private final LockOptions options;
    private final RunningMethods running = new RunningMethods();

    MicronautFramework(BeanContext beans, InterlockConfiguration configuration) {
        this.beans = beans;
        this.options = configuration.options();
    }

    @Override
    public Interlock client(String name) {
        return name.isEmpty()
                ? beans.getBean(Interlock.class)
                : beans.getBean(Interlock.class, Qualifiers.byName(name));
    }

    @Override
    public LockOptions options(String name) {
        return options;
    }

    @Override
    public RunningMethods running() {
        return running;
    }

    @Override
    public void skipped(String method) {
        beans.getBeansOfType(SkipObserver.class).forEach(observer -> observer.skipped(method));
    }
}
