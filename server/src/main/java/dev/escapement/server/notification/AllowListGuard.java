package dev.escapement.server.notification;

import dev.escapement.endpoints.guard.GuardedAddressResolver;
import dev.escapement.notifications.channel.AddressGuard;
import dev.escapement.server.StartException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.util.Promise;

/**
 * Checks addresses as the client of the endpoints does: internal ones are denied unless a setting lists them.
 *
 * @param timeout of a DNS lookup
 */
public record AllowListGuard(GuardedAddressResolver resolver, Duration timeout) implements AddressGuard {

    @Override
    public InetAddress resolve(String host, int port) throws IOException {
        Promise.Completable<List<InetSocketAddress>> addresses = new Promise.Completable<>();
        resolver.resolve(host, port, Map.of(), addresses);
        try {
            return addresses.get(timeout.toNanos(), TimeUnit.NANOSECONDS).get(0).getAddress();
        } catch (ExecutionException denied) {
            throw new IOException(StartException.rootMessage(denied), denied);
        } catch (TimeoutException late) {
            throw new IOException("DNS lookup took longer than " + timeout.toMillis() + " ms", late);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("this server stopped during the lookup");
        }
    }
}
