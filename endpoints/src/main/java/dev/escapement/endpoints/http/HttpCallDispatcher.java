package dev.escapement.endpoints.http;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolver;
import dev.escapement.endpoints.guard.DnsResolverPool;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.guard.GuardedAddressResolver;
import dev.escapement.endpoints.http.CallResult.Failure;
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
public final class HttpCallDispatcher implements CallDispatcher {

    private static final CallError ABORTED = new CallError(
            Failure.ABORTED, "the program stopped during the call; whether the other side acted is not known");

    private final DispatchLimits limits;
    private final InstantSource clock;
    private final DnsResolverPool dnsPool;
    private final HttpClient client;
    private final Scheduler timer;
    private final HttpRequestFactory requestFactory;
    private final Set<CallAttempt> activeCalls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private HttpCallDispatcher(DispatchLimits limits, InstantSource clock, DnsResolverPool lookups, HttpClient client) {
        this.limits = limits;
        this.clock = clock;
        this.dnsPool = lookups;
        this.client = client;
        this.timer = client.getScheduler();
        this.requestFactory = new HttpRequestFactory(client, clock, limits.userAgent());
    }

    /** One that trusts whom this machine trusts. */
    public static HttpCallDispatcher open(
            DispatchLimits limits, AllowList allowed, DnsResolver resolver, InstantSource clock) {
        return open(limits, allowed, resolver, clock, new SslContextFactory.Client());
    }

    static HttpCallDispatcher open(
            DispatchLimits limits,
            AllowList allowed,
            DnsResolver resolver,
            InstantSource clock,
            SslContextFactory.Client trust) {
        DnsResolverPool lookups = new DnsResolverPool(resolver, limits.maxDnsLookups());
        HttpClient client = JettyClientFactory.start(limits, new GuardedAddressResolver(allowed, lookups), trust);
        return new HttpCallDispatcher(limits, clock, lookups, client);
    }

    @Override
    public void dispatch(CallRequest call, Consumer<CallResult> done) {
        EndpointUrl url;
        try {
            url = EndpointUrl.parse(call.url());
        } catch (IllegalArgumentException flaw) {
            done.accept(CallResult.failed(Failure.BAD_URL, String.valueOf(flaw.getMessage())));
            return;
        }
        try {
            HttpRequestFactory.check(call);
        } catch (IllegalArgumentException flaw) {
            done.accept(CallResult.failed(Failure.BAD_REQUEST, String.valueOf(flaw.getMessage())));
            return;
        }
        send(call, url, done);
    }

    private void send(CallRequest call, EndpointUrl url, Consumer<CallResult> done) {
        SecretRedactor redaction = SecretRedactor.forRequest(
                call.headers(), Optional.ofNullable(url.uri().getRawQuery()));
        ResponseReader reception = new ResponseReader(url.host(), redaction, limits, clock);
        CallAttempt one = new CallAttempt(() -> requestFactory.create(call, url), reception, done, activeCalls::remove);
        activeCalls.add(one);
        if (closed) {
            one.abort(ABORTED);
            return;
        }
        // Jetty's own timeout depends on the stage that a call is in; this one does not.
        one.setTimeoutTask(timer.schedule(
                () -> one.abort(timeoutError(call.timeout())), call.timeout().toMillis(), TimeUnit.MILLISECONDS));
        one.send();
    }

    private static CallError timeoutError(Duration timeout) {
        return new CallError(Failure.TIMEOUT, "no complete answer within " + timeout.toMillis() + " ms");
    }

    @Override
    public void close() {
        closed = true;
        activeCalls.forEach(one -> one.abort(ABORTED));
        dnsPool.close();
        JettyClientFactory.stop(client);
    }
}
