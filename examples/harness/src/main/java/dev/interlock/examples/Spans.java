package dev.interlock.examples;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A collector of spans, by the protocol of OpenTelemetry over HTTP. Thread-safe. */
final class Spans implements AutoCloseable {

    private final HttpServer server;
    /** By the path and the id: a batch that was not answered in time is sent again. */
    private final Map<String, Map<ByteString, Span>> spans = new ConcurrentHashMap<>();

    Spans() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::collect);
        server.start();
    }

    /** Where a service sends its spans. */
    String uri(String service) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + service;
    }

    /** How many spans of this name a service has sent, which have another one as their parent. */
    long count(String service, String name, String parent) {
        Map<ByteString, Span> sent = spans.getOrDefault("/" + service, Map.of());
        return sent.values().stream()
                .filter(span -> span.getName().equals(name))
                .map(span -> sent.get(span.getParentSpanId()))
                .filter(span -> span != null && span.getName().equals(parent))
                .count();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void collect(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<ByteString, Span> sent =
                    spans.computeIfAbsent(exchange.getRequestURI().getPath(), path -> new ConcurrentHashMap<>());
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()).getResourceSpansList().stream()
                    .flatMap(resource -> resource.getScopeSpansList().stream())
                    .flatMap(scope -> scope.getSpansList().stream())
                    .forEach(span -> sent.put(span.getSpanId(), span));
            exchange.sendResponseHeaders(200, -1);
        }
    }
}
