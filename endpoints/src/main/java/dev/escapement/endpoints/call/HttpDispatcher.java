package dev.escapement.endpoints.call;

import dev.escapement.endpoints.call.Answer.Failure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Makes calls over HTTP/1.1, guarded and bounded. Few threads serve all calls; connections are kept for a moment and
 * used again. Every address is checked when a connection to it is made. Redirects are not followed; there are no
 * cookies, no proxies, and nothing is unpacked.
 */
public final class HttpDispatcher implements Dispatcher {

    private static final Flaw ABORTED =
            new Flaw(Failure.ABORTED, "the program stopped during the call; whether the other side acted is not known");

    private final DispatchLimits limits;
    private final InstantSource clock;
    private final Lookups lookups;
    private final HttpClient client;
    private final Scheduler timer;
    private final Requests requests;
    private final Set<OneCall> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private HttpDispatcher(DispatchLimits limits, InstantSource clock, Lookups lookups, HttpClient client) {
        this.limits = limits;
        this.clock = clock;
        this.lookups = lookups;
        this.client = client;
        this.timer = client.getScheduler();
        this.requests = new Requests(client, clock, limits.userAgent());
    }

    /** One that trusts whom this machine trusts. */
    public static HttpDispatcher open(
            DispatchLimits limits, AllowList allowed, Resolver resolver, InstantSource clock) {
        return open(limits, allowed, resolver, clock, new SslContextFactory.Client());
    }

    static HttpDispatcher open(
            DispatchLimits limits,
            AllowList allowed,
            Resolver resolver,
            InstantSource clock,
            SslContextFactory.Client trust) {
        Lookups lookups = new Lookups(resolver, limits.lookups());
        HttpClient client = Clients.start(limits, new GuardedResolver(allowed, lookups), trust);
        return new HttpDispatcher(limits, clock, lookups, client);
    }

    @Override
    public void dispatch(Call call, Consumer<Answer> done) {
        EndpointUrl url;
        try {
            url = EndpointUrl.parse(call.url());
        } catch (IllegalArgumentException flaw) {
            done.accept(Answer.failed(Failure.BAD_URL, String.valueOf(flaw.getMessage())));
            return;
        }
        try {
            Requests.check(call);
        } catch (IllegalArgumentException flaw) {
            done.accept(Answer.failed(Failure.BAD_REQUEST, String.valueOf(flaw.getMessage())));
            return;
        }
        send(call, url, done);
    }

    private void send(Call call, EndpointUrl url, Consumer<Answer> done) {
        Redaction redaction =
                Redaction.of(call.headers(), Optional.ofNullable(url.uri().getRawQuery()));
        Reception reception = new Reception(url.host(), redaction, limits, clock);
        OneCall one = new OneCall(() -> requests.write(call, url), reception, done, underWay::remove);
        underWay.add(one);
        if (closed) {
            one.end(ABORTED);
            return;
        }
        // Jetty's own timeout depends on the stage that a call is in; this one does not.
        one.watchedBy(timer.schedule(
                () -> one.end(late(call.timeout())), call.timeout().toMillis(), TimeUnit.MILLISECONDS));
        one.send();
    }

    private static Flaw late(Duration timeout) {
        return new Flaw(Failure.TIMEOUT, "no complete answer within " + timeout.toMillis() + " ms");
    }

    @Override
    public void close() {
        closed = true;
        underWay.forEach(one -> one.end(ABORTED));
        lookups.close();
        Clients.stop(client);
    }
}
