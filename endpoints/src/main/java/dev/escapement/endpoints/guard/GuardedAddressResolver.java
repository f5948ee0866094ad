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
 * Stands between a name and a connection: the client connects to the addresses that come out of here and to no others.
 * They are fixed, so nothing is looked up between the check and the connection. One bad answer spoils all of them: who
 * mixes inside and outside under one name wants the inside to be reached.
 */
public final class GuardedAddressResolver implements SocketAddressResolver {

    private final AllowList allowList;
    private final DnsResolverPool dnsPool;

    public GuardedAddressResolver(AllowList allowed, DnsResolverPool lookups) {
        this.allowList = allowed;
        this.dnsPool = lookups;
    }

    @Override
    public void resolve(
            String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> connections) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        Optional<InetAddress> literal = AddressParser.parse(bare);
        if (literal.isPresent()) {
            checkAndComplete(bare, port, List.of(literal.get()), connections);
            return;
        }
        var unused = dnsPool.resolve(bare).whenComplete((answers, failure) -> {
            if (failure == null) {
                checkAndComplete(bare, port, answers, connections);
            } else {
                connections.failed(failure);
            }
        });
    }

    private void checkAndComplete(
            String host, int port, List<InetAddress> answers, Promise<List<InetSocketAddress>> connections) {
        for (InetAddress answer : answers) {
            Optional<AddressKind> denied = allowList.findDenial(host, port, answer);
            if (denied.isPresent()) {
                connections.failed(new AddressDeniedException(host, denied.get()));
                return;
            }
        }
        if (answers.isEmpty()) {
            connections.failed(new UnknownHostException(host));
            return;
        }
        connections.succeeded(answers.stream()
                .map(answer -> new InetSocketAddress(AddressParser.withHostName(host, answer), port))
                .toList());
    }
}
