package dev.escapement.notifications.channel;

import dev.escapement.storage.SecretText;
import java.util.List;
import java.util.Optional;

/**
 * How e-mails are sent.
 *
 * @param from address of the sender
 * @param to addresses of the receivers, at least one
 * @param login empty for none
 */
public record MailSettings(
        String host, int port, Encryption encryption, String from, List<String> to, Optional<Login> login) {

    /** How the connection is protected. */
    public enum Encryption {
        /** Not at all: only for a server on the same machine or network. */
        NONE,
        /** By the command STARTTLS, without which nothing is sent. */
        STARTTLS,
        /** From the first byte. */
        TLS
    }

    /** User and password for the server. */
    public record Login(String user, SecretText password) {}

    public MailSettings {
        to = List.copyOf(to);
        if (to.isEmpty()) {
            throw new IllegalArgumentException("to is empty: name at least one receiver");
        }
    }
}
