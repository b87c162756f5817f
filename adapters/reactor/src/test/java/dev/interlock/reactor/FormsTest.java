package dev.interlock.reactor;

import dev.interlock.DistributedLock;
import dev.interlock.Interlock;
import dev.interlock.memory.MemoryStore;
import dev.interlock.spi.LockStore;
import dev.interlock.testkit.contract.form.Form;
import dev.interlock.testkit.contract.form.FormBody;
import dev.interlock.testkit.contract.form.FormTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table of forms over publishers. */
class FormsTest extends FormTable {

    @Override
    protected Supplier<LockStore> sessions() {
        return new MemoryStore()::session;
    }

    @Override
    protected Map<String, Form> forms() {
        return Map.of(
                "mono", publisher(FormsTest::mono),
                "flux", publisher((lock, wait, body) -> flux(lock, wait, body).reduce((first, next) -> next)));
    }

    private static Mono<String> mono(DistributedLock lock, Form.Wait wait, FormBody body) {
        return wait == Form.Wait.UNLIMITED
                ? ReactiveLocks.mono(lock, lease -> Mono.fromFuture(body::begin))
                : ReactiveLocks.tryMono(lock, Duration.ZERO, lease -> Mono.fromFuture(body::begin));
    }

    private static Flux<String> flux(DistributedLock lock, Form.Wait wait, FormBody body) {
        return wait == Form.Wait.UNLIMITED
                ? ReactiveLocks.flux(lock, lease -> Mono.fromFuture(body::begin))
                : ReactiveLocks.tryFlux(lock, Duration.ZERO, lease -> Mono.fromFuture(body::begin));
    }

    private interface Maker {
        Mono<String> make(DistributedLock lock, Form.Wait wait, FormBody body);
    }

    private static Form publisher(Maker maker) {
        return new Form() {
            @Override
            public Call begin(Interlock client, String name, Wait wait, FormBody body) {
                CompletableFuture<Void> timer = new CompletableFuture<>();
                CompletableFuture<@Nullable String> result = maker.make(client.lock(name), wait, body)
                        .timeout(Mono.fromFuture(timer, true))
                        .<@Nullable String>map(value -> value)
                        .toFuture();
                return new Call() {
                    @Override
                    public CompletableFuture<@Nullable String> result() {
                        return result;
                    }

                    @Override
                    public void giveUp(String way) {
                        if (way.equals("dispose")) {
                            result.cancel(true);
                        } else {
                            timer.complete(null);
                        }
                    }
                };
            }

            @Override
            public List<String> ways() {
                return List.of("dispose", "timeout");
            }
        };
    }
}
