@NullMarked
package dev.interlock.zookeeper.node;

import org.jspecify.annotations.NullMarked;
