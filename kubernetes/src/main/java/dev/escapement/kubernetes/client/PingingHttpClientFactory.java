package dev.escapement.kubernetes.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;

/**
 * The client library's own HTTP client, with a pulse in its WebSockets. It sends none by itself, so a connection that a
 * firewall or a dead node has swallowed looks like one on which nothing happens, for minutes.
 */
public final class PingingHttpClientFactory extends JdkHttpClientFactory {

    /** Three of these in silence, and a watch begins anew. */
    public static final Duration PING_INTERVAL = Duration.ofSeconds(15);

    private final Duration interval;

    /** @param interval between two pings */
    public PingingHttpClientFactory(Duration interval) {
        this.interval = interval;
    }

    /** Only what it builds in the end is of interest. */
    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        HttpClient.Builder builder = super.createNewHttpClientBuilder();
        return (HttpClient.Builder) Proxy.newProxyInstance(
                PingingHttpClientFactory.class.getClassLoader(),
                new Class<?>[] {HttpClient.Builder.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(builder, arguments);
                        if (result == builder) {
                            return proxy;
                        }
                        return result instanceof HttpClient built ? new PingingHttpClient(built, interval) : result;
                    } catch (InvocationTargetException refusal) {
                        throw refusal.getCause();
                    }
                });
    }
}
