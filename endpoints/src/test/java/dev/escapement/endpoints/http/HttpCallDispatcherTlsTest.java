package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.parseAddresses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that TLS verifies the host name although the connection goes to a resolved address. */
class HttpCallDispatcherTlsTest {

    private static final String PASSWORD = "changeit";

    private final SslContextFactory.Client trust = new SslContextFactory.Client();
    private ScriptedServer server = ScriptedServer.respondingWith("");

    @BeforeEach
    void startTlsServer(@TempDir Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=good.test",
                        "-ext",
                        "san=dns:good.test")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        trust.setTrustStore(trusted);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server.close();
        server = ScriptedServer.listen(
                context.getServerSocketFactory().createServerSocket(), "127.0.0.1", 0, (request, in, out) -> {
                    out.write(ScriptedServer.okResponse("secure").getBytes(UTF_8));
                    out.flush();
                    return true;
                });
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpCallDispatcher open(SslContextFactory.Client whom) {
        return new HttpCallDispatcher(
                TestCalls.LIMITS,
                AllowList.parse("127.0.0.1"),
                name -> parseAddresses("127.0.0.1"),
                TestCalls.CLOCK,
                whom);
    }

    @Test
    void callsHostWithMatchingCertificate() {
        try (HttpCallDispatcher dispatcher = open(trust)) {
            assertThat(call(dispatcher, get("https://good.test:" + server.port() + "/")))
                    .satisfies(answer ->
                            assertThat(answer.excerpt()).as(answer.error()).isEqualTo("secure"));
            assertThat(server.requests().get(0)).contains("Host: good.test:" + server.port());
        }
    }

    @Test
    void refusesCertificateOfAnotherHost() {
        try (HttpCallDispatcher dispatcher = open(trust)) {
            for (String host : new String[] {"other.test", "127.0.0.1"}) {
                CallResult answer = call(dispatcher, get("https://" + host + ":" + server.port() + "/"));
                assertThat(answer.failure()).as(answer.error()).contains(Failure.TLS);
                assertThat(answer.error()).contains("TLS connection to " + host + " failed");
            }
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void refusesUntrustedCertificate() {
        try (HttpCallDispatcher dispatcher = HttpCallDispatcher.open(
                TestCalls.LIMITS, AllowList.parse("127.0.0.1"), name -> parseAddresses("127.0.0.1"), TestCalls.CLOCK)) {
            CallResult answer = call(dispatcher, get("https://good.test:" + server.port() + "/"));
            assertThat(answer.failure()).as(answer.error()).contains(Failure.TLS);
            assertThat(server.requests()).isEmpty();
        }
    }
}
