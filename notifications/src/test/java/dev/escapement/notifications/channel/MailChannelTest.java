package dev.escapement.notifications.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.common.NamedThreadFactory;
import dev.escapement.notifications.channel.MailSettings.Encryption;
import dev.escapement.notifications.channel.MailSettings.Login;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.storage.SecretText;
import dev.escapement.testkit.ConditionPoller;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** E-mails to a real SMTP server. */
class MailChannelTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-17T08:00:00Z"));
    private static final ServerSetup SMTP = new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP);

    private final GreenMail server = new GreenMail(SMTP);

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private MailSettings settings(int port, Encryption encryption, Optional<Login> login) {
        return new MailSettings(
                "127.0.0.1",
                port,
                encryption,
                "escapement@example.org",
                List.of("ann@example.org", "ben@example.org"),
                login);
    }

    private static DeliveryResult send(MailSettings settings) {
        return send(settings, (host, port) -> InetAddress.getByName(host), Duration.ofSeconds(20));
    }

    private static DeliveryResult send(MailSettings settings, AddressGuard guard, Duration timeout) {
        NotificationRequestSpec spec = new NotificationRequestSpec(
                "WorkflowFailed",
                "critical",
                "Failed on node/grün\nBcc: evil@example.org",
                "What: x\nTo do: y",
                null,
                List.of("mail"),
                null,
                null,
                Map.of());
        HttpPoster noPoster = post -> {
            throw new AssertionError("an e-mail needs no HTTP");
        };
        return new MailChannel(settings, new ChannelContext(noPoster, guard, timeout, CLOCK))
                .send(NotificationRequest.of(ObjectMetadata.named("nr-0123", ""), spec, null));
    }

    @Test
    void sendsTextToEveryReceiver() throws Exception {
        DeliveryResult result = send(settings(server.getSmtp().getPort(), Encryption.NONE, Optional.empty()));
        assertThat(result.detail()).isEqualTo("accepted by 127.0.0.1");
        assertThat(result.sent()).isTrue();
        MimeMessage[] received = server.getReceivedMessages();
        assertThat(received).hasSize(2);
        assertThat(received[0].getSubject())
                .isEqualTo("[Escapement critical] Failed on node/grün Bcc: evil@example.org");
        assertThat(received[0].getContent().toString()).contains("What: x").contains("To do: y");
        assertThat(received[0].getMessageID()).isEqualTo("<nr-0123@escapement>");
        assertThat(received[0].getHeader("Bcc")).isNull();
    }

    @Test
    void serverWithoutStartTlsIsRefused() {
        DeliveryResult result = send(settings(server.getSmtp().getPort(), Encryption.STARTTLS, Optional.empty()));
        assertThat(result.sent()).isFalse();
        assertThat(result.detail()).contains("STARTTLS");
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void wrongPasswordIsAFailureThatDoesNotShowIt() {
        server.setUser("escapement@example.org", "escapement", "right-password");
        Login wrong = new Login("escapement", SecretText.of("wr0ng-passw0rd"));
        DeliveryResult result = send(settings(server.getSmtp().getPort(), Encryption.NONE, Optional.of(wrong)));
        assertThat(result.sent()).isFalse();
        assertThat(result.detail()).doesNotContain("wr0ng-passw0rd");
        Login right = new Login("escapement", SecretText.of("right-password"));
        assertThat(send(settings(server.getSmtp().getPort(), Encryption.NONE, Optional.of(right)))
                        .sent())
                .isTrue();
    }

    @Test
    void serverThatIsAwayIsAFailure() {
        int port = server.getSmtp().getPort();
        server.stop();
        DeliveryResult result = send(settings(port, Encryption.NONE, Optional.empty()));
        assertThat(result.sent()).isFalse();
        assertThat(result.detail()).startsWith("mail server 127.0.0.1: ");
    }

    @Test
    void serverThatAnswersEveryStepTooSlowlyIsLimitedInTotal() throws Exception {
        // Never a step without a byte for longer than the timeout, and never an end.
        try (SlowServer slow = new SlowServer()) {
            DeliveryResult result = send(
                    settings(slow.port(), Encryption.NONE, Optional.empty()),
                    (host, port) -> InetAddress.getByName(host),
                    Duration.ofMillis(600));
            assertThat(result.sent()).isFalse();
            assertThat(result.detail()).isEqualTo("mail server 127.0.0.1: not done within 600 ms");
        }
    }

    /** Sends one line of an endless greeting every 100 ms. */
    private static final class SlowServer implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

        SlowServer() throws IOException {
            NamedThreadFactory.daemonThread("slow-server", this::greet).start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void greet() {
            try (Socket client = socket.accept()) {
                while (true) {
                    client.getOutputStream().write("220-wait\r\n".getBytes(StandardCharsets.US_ASCII));
                    client.getOutputStream().flush();
                    ConditionPoller.sleep(Duration.ofMillis(100));
                }
            } catch (IOException disconnected) {
                // The end of the test.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void hostThatMayNotBeCalledIsNotConnected() {
        DeliveryResult result = send(
                settings(server.getSmtp().getPort(), Encryption.NONE, Optional.empty()),
                (host, port) -> {
                    throw new IOException("127.0.0.1 is a loopback address");
                },
                Duration.ofSeconds(20));
        assertThat(result.detail()).isEqualTo("mail server 127.0.0.1: 127.0.0.1 is a loopback address");
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void connectsOnlyToTheAddressThatWasChecked() {
        MailSettings unknown = new MailSettings(
                "localhost",
                server.getSmtp().getPort(),
                Encryption.NONE,
                "escapement@example.org",
                List.of("ann@example.org"),
                Optional.empty());
        int port = server.getSmtp().getPort();
        DeliveryResult result = send(
                unknown,
                (host, called) -> {
                    assertThat(called).isEqualTo(port);
                    return InetAddress.getByName("127.0.0.2");
                },
                Duration.ofSeconds(20));
        assertThat(result.sent()).isFalse();
        assertThat(server.getReceivedMessages()).isEmpty();
    }
}
