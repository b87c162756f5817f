/** Tests of the auto-configuration, which a profile runs on another line of Spring Boot. */
@NullMarked
package dev.interlock.spring.tests;

import org.jspecify.annotations.NullMarked;
