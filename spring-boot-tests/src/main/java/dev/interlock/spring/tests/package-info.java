/** Tests of the auto-configuration, compiled once and run on each line of Spring Boot. */
@NullMarked
package dev.interlock.spring.tests;

import org.jspecify.annotations.NullMarked;
