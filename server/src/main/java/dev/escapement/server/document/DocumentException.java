package dev.escapement.server.document;

import java.util.Optional;

/** A document that cannot be read. The message says what is wrong and in which line and column. */
public final class DocumentException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;

    DocumentException(String message, Optional<Integer> line) {
        super(message);
        this.line = line.orElse(0);
    }

    /** The line, from 1, if it is known. */
    public Optional<Integer> line() {
        return line > 0 ? Optional.of(line) : Optional.empty();
    }
}
