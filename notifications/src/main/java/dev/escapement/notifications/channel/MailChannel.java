package dev.escapement.notifications.channel;

import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.common.SafeText;
import dev.escapement.notifications.channel.MailSettings.Encryption;
import dev.escapement.notifications.channel.MailSettings.Login;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.notifications.delivery.NotificationDocuments;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends notifications by e-mail over SMTP. The Message-ID is made of the name, so that a repeated mail is recognised.
 */
public final class MailChannel implements NotificationChannel {

    private static final int MAX_SUBJECT_LENGTH = 200;
    private static final Logger LOG = LoggerFactory.getLogger(MailChannel.class);
    private static final int MAX_ERROR_LENGTH = 300;

    private final MailSettings settings;
    private final ChannelContext context;

    public MailChannel(MailSettings settings, ChannelContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public DeliveryResult send(NotificationRequest request) {
        DeadlineSockets sockets;
        try {
            sockets = DeadlineSockets.start(
                    context.addressGuard().resolve(settings.host(), settings.port()),
                    settings.port(),
                    context.timeout());
        } catch (IOException denied) {
            return failed(denied);
        }
        Session session = Session.getInstance(properties(sockets));
        try {
            // Not closed by the statement: if only the end of the session fails, the message was accepted.
            Transport transport = session.getTransport();
            MimeMessage message = compose(session, request);
            String user = settings.login().map(Login::user).orElse(null);
            String password =
                    settings.login().map(login -> login.password().reveal()).orElse(null);
            try {
                transport.connect(settings.host(), settings.port(), user, password);
                transport.sendMessage(message, message.getAllRecipients());
            } finally {
                close(transport);
            }
            return DeliveryResult.sent("accepted by " + settings.host());
        } catch (MessagingException failure) {
            return sockets.isExpired()
                    ? DeliveryResult.failed("mail server " + settings.host() + ": not done within "
                            + context.timeout().toMillis() + " ms")
                    : failed(failure);
        }
    }

    /** The server controls the message, and may repeat what it was sent. */
    private DeliveryResult failed(Exception failure) {
        String reason = requireNonNullElse(failure.getMessage(), "no reason given");
        String safe = settings.login()
                .map(login -> reason.replace(login.password().reveal(), "(not shown)"))
                .orElse(reason);
        return DeliveryResult.failed(
                "mail server " + settings.host() + ": " + SafeText.sanitize(safe, MAX_ERROR_LENGTH));
    }

    private static void close(Transport transport) {
        try {
            transport.close();
        } catch (MessagingException unclean) {
            LOG.debug("Connection to the mail server did not end cleanly: {}", unclean.toString());
        }
    }

    private Properties properties(DeadlineSockets sockets) {
        String millis = Long.toString(context.timeout().toMillis());
        Properties properties = new Properties();
        properties.put("mail.smtp.socketFactory", sockets);
        // Without it, another socket would be used that nobody has checked.
        properties.setProperty("mail.smtp.socketFactory.fallback", "false");
        properties.setProperty("mail.transport.protocol", "smtp");
        properties.setProperty("mail.smtp.connectiontimeout", millis);
        properties.setProperty("mail.smtp.timeout", millis);
        properties.setProperty("mail.smtp.writetimeout", millis);
        properties.setProperty(
                "mail.smtp.auth", Boolean.toString(settings.login().isPresent()));
        boolean startTls = settings.encryption() == Encryption.STARTTLS;
        properties.setProperty("mail.smtp.starttls.enable", Boolean.toString(startTls));
        properties.setProperty("mail.smtp.starttls.required", Boolean.toString(startTls));
        properties.setProperty("mail.smtp.ssl.enable", Boolean.toString(settings.encryption() == Encryption.TLS));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
        return properties;
    }

    private MimeMessage compose(Session session, NotificationRequest request) throws MessagingException {
        NotificationRequestSpec spec = NotificationDocuments.spec(request);
        MimeMessage message = new NamedMessage(session, NotificationDocuments.name(request));
        message.setFrom(new InternetAddress(settings.from()));
        for (String receiver : settings.to()) {
            message.addRecipient(Message.RecipientType.TO, new InternetAddress(receiver));
        }
        String subject = "[Escapement " + spec.severity() + "] " + requireNonNullElse(spec.subject(), "");
        message.setSubject(SafeText.sanitize(subject, MAX_SUBJECT_LENGTH), StandardCharsets.UTF_8.name());
        message.setText(requireNonNullElse(spec.message(), ""), StandardCharsets.UTF_8.name());
        message.setSentDate(Date.from(context.clock().instant()));
        message.setHeader("Auto-Submitted", "auto-generated");
        return message;
    }

    /** A message with the same id for every attempt. */
    private static final class NamedMessage extends MimeMessage {

        private final String name;

        NamedMessage(Session session, String name) {
            super(session);
            this.name = name;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + name + "@escapement>");
        }
    }
}
