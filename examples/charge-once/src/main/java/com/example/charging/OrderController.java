package com.example.charging;

import dev.interlock.LockLostException;
import dev.interlock.StoreUnavailableException;
import dev.interlock.annotation.LockBusyException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders. Whoever does not get a 200 delivers the order again, here or to another instance. */
@RestController
class OrderController {

    private final Charging charging;

    OrderController(Charging charging) {
        this.charging = charging;
    }

    @PostMapping("/orders/{order}/charge")
    String charge(@PathVariable long order) throws InterruptedException {
        return charging.charge(order, null) ? "charged" : "charged before";
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String late(LateWriterException e) {
        return "late: " + e.getMessage();
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String lost(LockLostException e) {
        return "lost: " + e.getMessage();
    }

    @ExceptionHandler({LockBusyException.class, StoreUnavailableException.class})
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    String busy(RuntimeException e) {
        return "busy: " + e.getMessage();
    }
}
