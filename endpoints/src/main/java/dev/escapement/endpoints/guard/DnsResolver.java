package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. */
@FunctionalInterface
public interface DnsResolver {

    /** Returns at least one address. May block; called once for each new connection. */
    List<InetAddress> resolve(String name) throws UnknownHostException;

    /** Returns the resolver of the operating system. */
    static DnsResolver system() {
        return name -> List.of(InetAddress.getAllByName(name));
    }
}
