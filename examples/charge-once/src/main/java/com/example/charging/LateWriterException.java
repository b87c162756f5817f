package com.example.charging;

/** The order belongs to a later holder of its lock: this one had lost the lock, and did not know it yet. */
public class LateWriterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LateWriterException(long order, long token, long maximum) {
        super("Order " + order + " belongs to a later holder: token=" + token + ", the order has " + maximum);
    }
}
