/** Tests of the worker and its connection. */
@NullMarked
package dev.interlock.jdbc.session;

import org.jspecify.annotations.NullMarked;
