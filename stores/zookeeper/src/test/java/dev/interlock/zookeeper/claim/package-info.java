@NullMarked
package dev.interlock.zookeeper.claim;

import org.jspecify.annotations.NullMarked;
