package dev.escapement.endpoints.call;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Stands between a name and a connection: the client connects to the addresses that come out of here and to no others.
 * They are fixed, so nothing is looked up between the check and the connection. One bad answer spoils all of them: who
 * mixes inside and outside under one name wants the inside to be reached.
 */
final class GuardedResolver implements SocketAddressResolver {

    private final AllowList allowed;
    private final Lookups lookups;

    GuardedResolver(AllowList allowed, Lookups lookups) {
        this.allowed = allowed;
        this.lookups = lookups;
    }

    @Override
    public void resolve(
            String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> connections) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        Optional<InetAddress> literal = Addresses.parse(bare);
        if (literal.isPresent()) {
            judge(bare, port, List.of(literal.get()), connections);
            return;
        }
        var unused = lookups.lookUp(bare).whenComplete((answers, failure) -> {
            if (failure == null) {
                judge(bare, port, answers, connections);
            } else {
                connections.failed(failure);
            }
        });
    }

    private void judge(String host, int port, List<InetAddress> answers, Promise<List<InetSocketAddress>> connections) {
        for (InetAddress answer : answers) {
            Optional<AddressKind> denied = allowed.denies(host, port, answer);
            if (denied.isPresent()) {
                connections.failed(new AddressDenied(host, denied.get()));
                return;
            }
        }
        if (answers.isEmpty()) {
            connections.failed(new UnknownHostException(host));
            return;
        }
        connections.succeeded(answers.stream()
                .map(answer -> new InetSocketAddress(Addresses.named(host, answer), port))
                .toList());
    }
}
