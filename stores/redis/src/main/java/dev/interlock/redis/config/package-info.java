/**
 * What users can set: {@link dev.interlock.redis.config.Settings}, and the
 * {@link dev.interlock.redis.config.RedisStoreUri} that contains them and makes the connector for its hosts.
 */
@NullMarked
package dev.interlock.redis.config;

import org.jspecify.annotations.NullMarked;
