package dev.escapement.notifications.config;

import dev.escapement.notifications.channel.MailSettings;
import dev.escapement.notifications.channel.MailSettings.Encryption;
import dev.escapement.notifications.channel.MailSettings.Login;
import dev.escapement.storage.SecretText;
import java.util.Optional;

/** Reads the settings of one channel. */
final class ChannelReader {

    private static final String PAGER_DUTY_URL = "https://events.pagerduty.com/v2/enqueue";
    private static final int SUBMISSION_PORT = 587;

    private ChannelReader() {}

    static ChannelSettings read(SettingsNode node) {
        String type = node.requiredText("type");
        return switch (type) {
            case "log" -> {
                node.requireOnly("type");
                yield new ChannelSettings.Log();
            }
            case "file" ->
                new ChannelSettings.JsonLines(node.requireOnly("type", "path").path("path"));
            case "webhook" -> {
                node.requireOnly("type", "url", "urlFile", "signingKeyFiles");
                yield new ChannelSettings.Webhook(readUrl(node), node.secrets("signingKeyFiles"));
            }
            // The address is the secret.
            case "slack" ->
                new ChannelSettings.Slack(node.requireOnly("type", "urlFile").secret("urlFile"));
            case "pagerduty" -> {
                node.requireOnly("type", "url", "routingKeyFile");
                yield new ChannelSettings.PagerDuty(
                        SecretText.of(node.text("url").orElse(PAGER_DUTY_URL)), node.secret("routingKeyFile"));
            }
            case "email" -> new ChannelSettings.Mail(readMail(node));
            default -> throw node.invalid("type", "must be one of log, file, webhook, slack, pagerduty, email");
        };
    }

    private static SecretText readUrl(SettingsNode node) {
        if (node.has("url") == node.has("urlFile")) {
            throw node.invalid("url", "or urlFile must be given, and not both");
        }
        return node.has("url") ? SecretText.of(node.requiredText("url")) : node.secret("urlFile");
    }

    private static MailSettings readMail(SettingsNode node) {
        node.requireOnly("type", "host", "port", "encryption", "from", "to", "user", "passwordFile");
        Encryption encryption =
                node.parse("encryption", node.text("encryption").orElse("starttls"), text -> switch (text) {
                    case "none" -> Encryption.NONE;
                    case "starttls" -> Encryption.STARTTLS;
                    case "tls" -> Encryption.TLS;
                    default -> throw new IllegalArgumentException("it must be none, starttls or tls");
                });
        if (node.has("user") != node.has("passwordFile")) {
            throw node.invalid("user", "and passwordFile must be given together");
        }
        Optional<Login> login = node.text("user").map(user -> new Login(user, node.secret("passwordFile")));
        if (login.isPresent() && encryption == Encryption.NONE) {
            throw node.invalid("encryption", "must not be none with a password");
        }
        if (node.texts("to").isEmpty()) {
            throw node.invalid("to", "is missing: name at least one receiver");
        }
        return new MailSettings(
                node.requiredText("host"),
                node.wholeNumber("port").orElse(SUBMISSION_PORT),
                encryption,
                node.requiredText("from"),
                node.texts("to"),
                login);
    }
}
