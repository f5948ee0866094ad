package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.addresses;
import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
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

/** The connection goes to an address that was checked, and the certificate is checked against the name. */
class TlsTest {

    private static final String PASSWORD = "changeit";

    private final SslContextFactory.Client trust = new SslContextFactory.Client();
    private RawServer server = RawServer.saying("");

    @BeforeEach
    void serveAsGoodTest(@TempDir Path folder) throws IOException, InterruptedException, GeneralSecurityException {
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
        server = RawServer.on(
                context.getServerSocketFactory().createServerSocket(), "127.0.0.1", 0, (request, in, out) -> {
                    out.write(RawServer.ok("secure").getBytes(UTF_8));
                    out.flush();
                    return true;
                });
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpDispatcher open(SslContextFactory.Client whom) {
        return HttpDispatcher.open(
                Calls.LIMITS, AllowList.parse("127.0.0.1"), name -> addresses("127.0.0.1"), Calls.CLOCK, whom);
    }

    @Test
    void aNameWithItsCertificateIsCalled() {
        try (HttpDispatcher dispatcher = open(trust)) {
            assertThat(answer(dispatcher, get("https://good.test:" + server.port() + "/")))
                    .satisfies(answer ->
                            assertThat(answer.excerpt()).as(answer.error()).isEqualTo("secure"));
            assertThat(server.requests().get(0)).contains("Host: good.test:" + server.port());
        }
    }

    @Test
    void aCertificateOfAnotherNameIsNotTrusted() {
        try (HttpDispatcher dispatcher = open(trust)) {
            for (String host : new String[] {"other.test", "127.0.0.1"}) {
                Answer answer = answer(dispatcher, get("https://" + host + ":" + server.port() + "/"));
                assertThat(answer.failure()).as(answer.error()).contains(Failure.TLS);
                assertThat(answer.error()).contains("no trust in " + host);
            }
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aCertificateOfNobodyIsNotTrusted() {
        try (HttpDispatcher dispatcher = HttpDispatcher.open(
                Calls.LIMITS, AllowList.parse("127.0.0.1"), name -> addresses("127.0.0.1"), Calls.CLOCK)) {
            Answer answer = answer(dispatcher, get("https://good.test:" + server.port() + "/"));
            assertThat(answer.failure()).as(answer.error()).contains(Failure.TLS);
            assertThat(server.requests()).isEmpty();
        }
    }
}
