@NullMarked
package dev.interlock.zookeeper.connection;

import org.jspecify.annotations.NullMarked;
