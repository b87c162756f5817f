@NullMarked
package dev.interlock.zookeeper.config;

import org.jspecify.annotations.NullMarked;
