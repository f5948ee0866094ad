package dev.escapement.endpoints.guard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.ScriptedServer;
import dev.escapement.endpoints.http.TestCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Listens on loopback, IPv4 and if available IPv6, and records connections that the guard should have denied. */
final class CanaryServer implements AutoCloseable {

    private static final String PROBE = "KNOCK\r\n\r\n";

    private final List<ScriptedServer> servers = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> probesReceived = new ArrayList<>();

    CanaryServer() {
        listen("127.0.0.1", 0);
        try {
            listen("::1", port());
        } catch (UncheckedIOException noIpv6Here) {
            probesReceived.remove(1);
        }
    }

    private void listen(String address, int port) {
        CompletableFuture<Boolean> knocked = new CompletableFuture<>();
        probesReceived.add(knocked);
        servers.add(ScriptedServer.listen(address, port, (request, in, out) -> {
            if (request.equals(PROBE)) {
                knocked.complete(true);
            }
            return false;
        }));
    }

    int port() {
        return servers.get(0).port();
    }

    /** Connects to itself: connections are accepted in order, so all earlier ones have been counted then. */
    void assertUntouched() {
        for (int i = 0; i < servers.size(); i++) {
            connect(i == 0 ? "127.0.0.1" : "::1");
            TestCalls.await(probesReceived.get(i));
            assertThat(servers.get(i).connections())
                    .as("connections, including the canary's own")
                    .isEqualTo(1);
        }
    }

    private void connect(String address) {
        try (Socket socket = new Socket(AddressParser.parse(address).orElseThrow(), port())) {
            socket.getOutputStream().write(PROBE.getBytes(US_ASCII));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        servers.forEach(ScriptedServer::close);
    }
}
