package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Resolves and checks the addresses of each new connection. The client connects only to the returned addresses, without
 * another lookup, so DNS rebinding has no effect. One denied address denies the host: a name that mixes internal and
 * external addresses is likely an attack.
 */
public record GuardedAddressResolver(AllowList allowList, DnsResolverPool dnsPool) implements SocketAddressResolver {

    @Override
    public void resolve(
            String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> connections) {
        String plainHost = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        Optional<InetAddress> literal = AddressParser.parse(plainHost);
        if (literal.isPresent()) {
            checkAndComplete(plainHost, port, List.of(literal.get()), connections);
            return;
        }
        var unused = dnsPool.resolve(plainHost).whenComplete((addresses, failure) -> {
            if (failure == null) {
                checkAndComplete(plainHost, port, addresses, connections);
            } else {
                connections.failed(failure);
            }
        });
    }

    private void checkAndComplete(
            String host, int port, List<InetAddress> addresses, Promise<List<InetSocketAddress>> connections) {
        Optional<AddressKind> denied = addresses.stream()
                .flatMap(address -> allowList.findDenial(host, port, address).stream())
                .findFirst();
        if (denied.isPresent()) {
            connections.failed(new AddressDeniedException(denied.get().describeDenial(host)));
        } else if (addresses.isEmpty()) {
            connections.failed(new UnknownHostException(host));
        } else {
            connections.succeeded(addresses.stream()
                    .map(address -> new InetSocketAddress(AddressParser.withHostName(host, address.getAddress()), port))
                    .toList());
        }
    }

    /** Thrown instead of connecting to an address that may not be called. */
    public static final class AddressDeniedException extends Exception {

        AddressDeniedException(String message) {
            // A decision, not a bug: the stack trace would be useless.
            super(message, null, false, false);
        }
    }
}
