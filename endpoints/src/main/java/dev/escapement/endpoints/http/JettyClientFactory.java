package dev.escapement.endpoints.http;

import dev.escapement.endpoints.guard.GuardedAddressResolver;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.RedirectProtocolHandler;
import org.eclipse.jetty.client.UpgradeProtocolHandler;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates HTTP clients without redirects, cookies, authentication and decompression. */
final class JettyClientFactory {

    private static final Logger LOG = LoggerFactory.getLogger(JettyClientFactory.class);
    private static final String CLIENT_NAME = "escapement-call";
    /** I/O threads; calls do not need one each. */
    private static final int THREADS = 8;

    /** For one connection to one address. */
    private static final long CONNECT_TIMEOUT_MILLIS = 5_000;

    /** Larger response headers fail the call. */
    private static final int MAX_RESPONSE_HEADER_BYTES = 16 << 10;

    /** For a URL of 2 KiB, the endpoint's headers of 16 KiB, and Escapement's own. */
    private static final int MAX_REQUEST_HEADER_BYTES = 32 << 10;

    private static final long IDLE_HOST_TIMEOUT_MILLIS = 60_000;

    private JettyClientFactory() {}

    static HttpClient start(DispatchLimits limits, GuardedAddressResolver resolver, SslContextFactory.Client tls) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
        threads.setName(CLIENT_NAME);
        threads.setDaemon(true);
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setScheduler(new ScheduledExecutorScheduler(CLIENT_NAME + "-timer", true));
        connector.setSslContextFactory(tls);
        HttpClient client = new HttpClient(new HttpClientTransportOverHTTP(connector));
        client.setName(CLIENT_NAME);
        client.setSocketAddressResolver(resolver);
        client.setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
        client.setIdleTimeout(limits.keepAlive().toMillis());
        client.setMaxConnectionsPerDestination(limits.maxConnectionsPerHost());
        client.setMaxRequestsQueuedPerDestination(limits.maxQueuedPerHost());
        client.setDestinationIdleTimeout(IDLE_HOST_TIMEOUT_MILLIS);
        client.setMaxResponseHeadersSize(MAX_RESPONSE_HEADER_BYTES);
        client.setMaxRequestHeadersSize(MAX_REQUEST_HEADER_BYTES);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setFollowRedirects(false);
        client.setUserAgentField(null);
        try {
            client.start();
        } catch (Exception failure) {
            throw new IllegalStateException("HTTP client could not be started", failure);
        }
        // After the start, which installs these decoders and handlers.
        client.getContentDecoderFactories().clear();
        client.getProtocolHandlers().remove(RedirectProtocolHandler.NAME);
        client.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(new UpgradeProtocolHandler().getName());
        return client;
    }

    static void stop(HttpClient client) {
        try {
            client.stop();
        } catch (Exception failure) {
            LOG.warn("HTTP client did not stop cleanly", failure);
        }
    }
}
