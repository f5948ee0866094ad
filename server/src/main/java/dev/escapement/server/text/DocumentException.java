package dev.escapement.server.text;

/** A document that cannot be read. The message says what is wrong and in which line and column. */
public final class DocumentException extends IllegalArgumentException {

    DocumentException(String message) {
        super(message);
    }
}
