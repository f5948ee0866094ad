package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Says which addresses a name leads to. */
@FunctionalInterface
public interface DnsResolver {

    /**
     * Asks now. May block; is asked once for every connection, and its answer is not asked for again before connecting.
     *
     * @return at least one address
     */
    List<InetAddress> resolve(String name) throws UnknownHostException;

    /** Asks as every other program on this machine would. */
    static DnsResolver system() {
        return name -> List.of(InetAddress.getAllByName(name));
    }
}
