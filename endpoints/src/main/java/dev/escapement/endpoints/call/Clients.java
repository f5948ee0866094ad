package dev.escapement.endpoints.call;

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

/** Makes the client that moves the bytes, without everything that clients do on their own. */
final class Clients {

    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);
    private static final String NAME = "escapement-call";
    /** A request has a URL of 2 KiB, headers of 16 KiB, and ours. */
    private static final int REQUEST_HEADERS = 32 << 10;

    private static final long FORGET_HOSTS_MILLIS = 60_000;

    private Clients() {}

    static HttpClient start(DispatchLimits limits, GuardedResolver resolver, SslContextFactory.Client trust) {
        QueuedThreadPool threads = new QueuedThreadPool(limits.threads(), Math.min(2, limits.threads()));
        threads.setName(NAME);
        threads.setDaemon(true);
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setScheduler(new ScheduledExecutorScheduler(NAME + "-timer", true));
        connector.setSslContextFactory(trust);
        HttpClient client = new HttpClient(new HttpClientTransportOverHTTP(connector));
        client.setName(NAME);
        client.setSocketAddressResolver(resolver);
        client.setConnectTimeout(limits.connectTimeout().toMillis());
        client.setIdleTimeout(limits.keepAlive().toMillis());
        client.setMaxConnectionsPerDestination(limits.connectionsPerHost());
        client.setMaxRequestsQueuedPerDestination(limits.waitingPerHost());
        client.setDestinationIdleTimeout(FORGET_HOSTS_MILLIS);
        client.setMaxResponseHeadersSize(limits.headerBytes());
        client.setMaxRequestHeadersSize(REQUEST_HEADERS);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        return started(client);
    }

    private static HttpClient started(HttpClient client) {
        try {
            client.start();
        } catch (Exception failure) {
            throw new IllegalStateException("the HTTP client does not start", failure);
        }
        doNothingAlone(client);
        return client;
    }

    /** What a status makes a client do by itself is put in place at the start, so it is taken away after it. */
    private static void doNothingAlone(HttpClient client) {
        client.setFollowRedirects(false);
        client.getContentDecoderFactories().clear();
        client.setUserAgentField(null);
        client.getProtocolHandlers().remove(RedirectProtocolHandler.NAME);
        client.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(new UpgradeProtocolHandler().getName());
    }

    static void stop(HttpClient client) {
        try {
            client.stop();
        } catch (Exception failure) {
            LOG.warn("The HTTP client did not stop cleanly", failure);
        }
    }
}
