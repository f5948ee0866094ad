package dev.escapement.endpoints.http;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.guard.GuardedAddressResolver;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Makes calls over HTTP/1.1 with a few threads and reused connections. Checks every address when it connects. Does not
 * follow redirects, keep cookies, use proxies or decompress responses.
 */
public final class HttpCallDispatcher implements CallDispatcher {

    private static final CallError ABORTED = new CallError(
            Failure.ABORTED, "this server stopped during the call; whether the endpoint processed it is unknown");

    private final DispatchLimits limits;
    private final InstantSource clock;
    private final DnsResolverPool dnsPool;
    private final HttpClient client;
    private final HttpRequestFactory requestFactory;
    private final Set<CallAttempt> activeCalls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    HttpCallDispatcher(
            DispatchLimits limits,
            AllowList allowList,
            DnsResolver resolver,
            InstantSource clock,
            SslContextFactory.Client tls) {
        this.limits = limits;
        this.clock = clock;
        this.dnsPool = new DnsResolverPool(resolver, limits.maxDnsLookups());
        this.client = JettyClientFactory.start(limits, new GuardedAddressResolver(allowList, dnsPool), tls);
        this.requestFactory = new HttpRequestFactory(client, clock, limits.userAgent());
    }

    /** Opens a dispatcher with the JDK's default trust store. */
    public static HttpCallDispatcher open(
            DispatchLimits limits, AllowList allowList, DnsResolver resolver, InstantSource clock) {
        return new HttpCallDispatcher(limits, allowList, resolver, clock, new SslContextFactory.Client());
    }

    @Override
    public void dispatch(CallRequest call, String idempotencyKey, Consumer<CallResult> callback) {
        EndpointUrl url;
        try {
            url = EndpointUrl.parse(call.url());
        } catch (IllegalArgumentException invalid) {
            callback.accept(CallResult.failed(Failure.BAD_URL, String.valueOf(invalid.getMessage())));
            return;
        }
        try {
            HttpRequestFactory.check(call, idempotencyKey);
        } catch (IllegalArgumentException invalid) {
            callback.accept(CallResult.failed(Failure.BAD_REQUEST, String.valueOf(invalid.getMessage())));
            return;
        }
        send(call, url, () -> requestFactory.create(call, url, idempotencyKey), callback);
    }

    private void send(CallRequest call, EndpointUrl url, Supplier<Request> request, Consumer<CallResult> callback) {
        SecretRedactor redactor = SecretRedactor.forRequest(
                call.headers(), Optional.ofNullable(url.uri().getRawQuery()));
        ResponseReader responseReader = new ResponseReader(url.host(), redactor, limits, clock);
        CallAttempt attempt = new CallAttempt(request, responseReader, callback, activeCalls::remove);
        activeCalls.add(attempt);
        if (closed) {
            attempt.abort(ABORTED);
            return;
        }
        // Jetty's own timeout does not cover every stage of a call.
        long millis = call.timeout().toMillis();
        CallError timeout = new CallError(Failure.TIMEOUT, "no complete response within " + millis + " ms");
        attempt.setTimeoutTask(
                client.getScheduler().schedule(() -> attempt.abort(timeout), millis, TimeUnit.MILLISECONDS));
        attempt.send();
    }

    @Override
    public void close() {
        closed = true;
        activeCalls.forEach(attempt -> attempt.abort(ABORTED));
        dnsPool.close();
        JettyClientFactory.stop(client);
    }
}
