package dev.interlock.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.resource.ClientResources;

/** A client whose connections write what many threads send at once in one go. */
final class LeanClient extends RedisClient {

    LeanClient(ClientResources resources, RedisURI uri) {
        super(resources, uri);
    }

    @Override
    protected DefaultEndpoint createEndpoint() {
        return new BatchingEndpoint(getOptions(), getResources());
    }
}
