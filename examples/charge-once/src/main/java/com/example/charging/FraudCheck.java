package com.example.charging;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/** Stands for a call to another service, which takes a while. */
@Component
class FraudCheck {

    void approve(long order) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextLong(100, 300));
    }
}
