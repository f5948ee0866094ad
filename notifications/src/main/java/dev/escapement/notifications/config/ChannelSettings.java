package dev.escapement.notifications.config;

import dev.escapement.notifications.channel.ChannelContext;
import dev.escapement.notifications.channel.HttpChannel;
import dev.escapement.notifications.channel.JsonLinesChannel;
import dev.escapement.notifications.channel.LogChannel;
import dev.escapement.notifications.channel.MailChannel;
import dev.escapement.notifications.channel.MailSettings;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.storage.SecretText;
import java.nio.file.Path;
import java.util.Optional;

/** The settings of one channel. Its text form shows no secrets. */
public sealed interface ChannelSettings {

    /** Opens the channel. */
    NotificationChannel open(ChannelContext context);

    /** Returns the address that the channel calls over HTTP, if it does. */
    Optional<SecretText> httpAddress();

    /** Writes to the log of the server. */
    record Log() implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.empty();
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return new LogChannel();
        }
    }

    /** Appends to a file. */
    record JsonLines(Path file) implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.empty();
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return new JsonLinesChannel(file);
        }
    }

    /**
     * Posts a signed JSON document.
     *
     * @param signingKeys separated by white space; empty to sign nothing
     */
    record Webhook(SecretText url, Optional<SecretText> signingKeys) implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.of(url);
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return HttpChannel.webhook(context.poster(), url, signingKeys);
        }
    }

    /** Posts to an incoming webhook of Slack, or of a chat that accepts the same body. */
    record Slack(SecretText url) implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.of(url);
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return HttpChannel.slack(context.poster(), url);
        }
    }

    /** Posts an event of PagerDuty's Events API v2. */
    record PagerDuty(SecretText url, SecretText routingKey) implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.of(url);
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return HttpChannel.pagerDuty(context.poster(), url, routingKey);
        }
    }

    /** Sends an e-mail. */
    record Mail(MailSettings settings) implements ChannelSettings {
        @Override
        public Optional<SecretText> httpAddress() {
            return Optional.empty();
        }

        @Override
        public NotificationChannel open(ChannelContext context) {
            return new MailChannel(settings, context);
        }
    }
}
