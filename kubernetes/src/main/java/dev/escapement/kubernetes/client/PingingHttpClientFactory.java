package dev.escapement.kubernetes.client;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;

/**
 * Creates the HTTP clients of the client library with pings on their WebSockets. Without pings, a connection that a
 * firewall or a dead node has dropped looks idle for minutes.
 */
public final class PingingHttpClientFactory extends JdkHttpClientFactory {

    /** A watch is restarted after three of these intervals without an answer. */
    public static final Duration PING_INTERVAL = Duration.ofSeconds(15);

    private final Duration interval;

    /** @param interval between two pings */
    public PingingHttpClientFactory(Duration interval) {
        this.interval = interval;
    }

    /** Wraps the built client; all other methods of the builder stay as they are. */
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
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
