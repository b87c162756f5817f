package dev.interlock.spring.tests;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** A subscriber before another that calls a test before and after each signal that passes. */
record SteppingSubscriber<T>(CoreSubscriber<? super T> next, Runnable step) implements CoreSubscriber<T> {

    @Override
    public Context currentContext() {
        return next.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        next.onSubscribe(subscription);
        step.run();
    }

    @Override
    public void onNext(T value) {
        step.run();
        next.onNext(value);
        step.run();
    }

    @Override
    public void onError(Throwable failure) {
        step.run();
        next.onError(failure);
    }

    @Override
    public void onComplete() {
        step.run();
        next.onComplete();
    }
}
