package com.example.charging;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Charges orders. Several instances run side by side, and each order may be delivered to any of them, and again. */
@SpringBootApplication
public class ChargingApplication {

    public static void main(String[] args) {
        SpringApplication.run(ChargingApplication.class, args);
    }
}
