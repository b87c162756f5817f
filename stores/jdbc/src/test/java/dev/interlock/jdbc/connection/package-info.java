/** Tests of URIs and URLs. */
@NullMarked
package dev.interlock.jdbc.connection;

import org.jspecify.annotations.NullMarked;
