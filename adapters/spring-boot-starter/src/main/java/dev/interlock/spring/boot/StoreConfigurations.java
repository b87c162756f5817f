package dev.interlock.spring.boot;

import com.mongodb.client.MongoClient;
import dev.interlock.jdbc.JdbcStore;
import dev.interlock.mongodb.MongoStore;
import dev.interlock.redis.RedisStore;
import dev.interlock.spi.LockStore;
import dev.interlock.spring.boot.InterlockProperties.StoreKind;
import dev.interlock.zookeeper.ZooKeeperStore;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Stores over what the application is connected with already, one class for each, because a class is loaded only if its
 * libraries are there. Each makes a {@link CandidateStore}, and {@link InterlockAutoConfiguration} chooses.
 */
final class StoreConfigurations {

    private StoreConfigurations() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcStore.class, DataSource.class})
    @ConditionalOnSingleCandidate(DataSource.class)
    static class Jdbc {
        @Bean
        CandidateStore interlockJdbcStore(DataSource dataSource) {
            return new CandidateStore(
                    StoreKind.JDBC, "a DataSource", () -> JdbcStore.over(dataSource), () -> product(dataSource));
        }

        private static String product(DataSource dataSource) {
            try (Connection connection = dataSource.getConnection()) {
                return connection.getMetaData().getDatabaseProductName();
            } catch (SQLException e) {
                throw new IllegalStateException("The database did not say what it is: " + e.getMessage(), e);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisStore.class, RedisClient.class})
    @ConditionalOnSingleCandidate(RedisClient.class)
    static class Lettuce {
        @Bean
        CandidateStore interlockLettuceStore(RedisClient client) {
            return new CandidateStore(StoreKind.REDIS, "a Lettuce RedisClient", () -> RedisStore.over(client));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisStore.class, LettuceConnectionFactory.class})
    @ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
    static class DataRedis {
        @Bean
        CandidateStore interlockDataRedisStore(
                LettuceConnectionFactory factory, ObjectProvider<RedisClient> ownClient) {
            return new CandidateStore(StoreKind.REDIS, "a LettuceConnectionFactory", () -> store(factory));
        }

        private static LockStore store(LettuceConnectionFactory factory) {
            AbstractRedisClient client = factory.getRequiredNativeClient();
            if (client instanceof RedisClient single) {
                return RedisStore.over(single);
            }
            throw new InterlockConfigurationException(
                    "Interlock cannot take over the connection of a Redis Cluster from Spring Data: its client keeps"
                            + " the credentials to itself.",
                    "Set interlock.uri to redis://user:password@host1:port,host2:port, or define a bean of type"
                            + " LockStore with RedisStore.over(RedisClusterClient, RedisURI).",
                    null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ZooKeeperStore.class, CuratorFramework.class})
    @ConditionalOnSingleCandidate(CuratorFramework.class)
    static class ZooKeeper {
        @Bean
        CandidateStore interlockZooKeeperStore(CuratorFramework client) {
            return new CandidateStore(StoreKind.ZOOKEEPER, "a CuratorFramework", () -> ZooKeeperStore.over(client));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MongoStore.class, MongoClient.class})
    @ConditionalOnSingleCandidate(MongoClient.class)
    static class Mongo {
        @Bean
        CandidateStore interlockMongoStore(MongoClient client, InterlockProperties properties) {
            return new CandidateStore(
                    StoreKind.MONGODB, "a MongoClient", () -> MongoStore.over(client, properties.database()));
        }
    }
}
