package dev.escapement.server.http.access;

import dev.escapement.common.SafeText;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/**
 * A proxy that authenticates people itself and names them in a header. It is believed only if the request comes from
 * one of its addresses and carries a token with {@link Right#PROXY}: other programs of the same machine send from the
 * same address.
 *
 * @param header empty for no proxy
 * @param addresses IP addresses in the form of {@link java.net.InetAddress#getHostAddress}
 */
public record TrustedProxy(String header, Set<String> addresses) {

    public static final TrustedProxy NONE = new TrustedProxy("", Set.of());

    private static final int MAX_NAME_LENGTH = 200;

    public TrustedProxy {
        addresses = Set.copyOf(addresses);
    }

    /** Returns the person that the proxy names; empty if the caller is not the proxy. */
    Optional<String> findPerson(Request request, Caller caller) {
        if (header.isEmpty() || !caller.may(Right.PROXY) || !isFromProxy(request)) {
            return Optional.empty();
        }
        return Optional.ofNullable(request.getHeaders().get(header))
                .map(name -> SafeText.sanitize(name, MAX_NAME_LENGTH))
                .filter(name -> !name.isBlank());
    }

    /** Compares the address itself: Jetty writes one of IPv6 in brackets. */
    private boolean isFromProxy(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
                && remote.getAddress() != null
                && addresses.contains(withoutZone(remote.getAddress().getHostAddress()));
    }

    /** A link-local address has the name of its network interface, which the setting does not have. */
    private static String withoutZone(String address) {
        return address.split("%", 2)[0];
    }
}
