/** The MongoDB store. */
// The driver has no descriptors, and its names are fixed in its manifests.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.interlock.mongodb {
    requires transitive dev.interlock.support;
    requires org.mongodb.bson;
    requires org.mongodb.driver.core;
    requires static org.jspecify;
    requires transitive dev.interlock;
    requires transitive org.mongodb.driver.sync.client;

    exports dev.interlock.mongodb;

    provides dev.interlock.spi.LockStoreProvider with
            dev.interlock.mongodb.MongoStoreProvider;
}
