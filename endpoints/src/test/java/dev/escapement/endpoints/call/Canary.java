package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Listens inside, on IPv4 and, where there is one, on IPv6, and must not be reached by anybody but itself. */
final class Canary implements AutoCloseable {

    private static final String KNOCK = "KNOCK\r\n\r\n";

    private final List<RawServer> servers = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> knocks = new ArrayList<>();

    Canary() {
        listen("127.0.0.1", 0);
        try {
            listen("::1", port());
        } catch (UncheckedIOException noIpv6Here) {
            knocks.remove(1);
        }
    }

    private void listen(String address, int port) {
        CompletableFuture<Boolean> knocked = new CompletableFuture<>();
        knocks.add(knocked);
        servers.add(RawServer.on(address, port, (request, in, out) -> {
            if (request.equals(KNOCK)) {
                knocked.complete(true);
            }
            return false;
        }));
    }

    int port() {
        return servers.get(0).port();
    }

    /** Connections are accepted in order: once its own knock is heard, everybody who came before was seen. */
    void assertUntouched() {
        for (int i = 0; i < servers.size(); i++) {
            knock(i == 0 ? "127.0.0.1" : "::1");
            Calls.await(knocks.get(i));
            assertThat(servers.get(i).connections())
                    .as("connections, with our own")
                    .isEqualTo(1);
        }
    }

    private void knock(String address) {
        try (Socket socket = new Socket(Addresses.parse(address).orElseThrow(), port())) {
            socket.getOutputStream().write(KNOCK.getBytes(US_ASCII));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        servers.forEach(RawServer::close);
    }
}
