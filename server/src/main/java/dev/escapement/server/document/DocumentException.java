package dev.escapement.server.document;

import java.util.Optional;

/** A malformed document. The message names the problem, the line and the column. */
public final class DocumentException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int line;

    /** @param line from 1; 0 if it is not known */
    DocumentException(String message, int line) {
        super(message);
        this.line = line;
    }

    /** Returns the line, from 1, if it is known. */
    public Optional<Integer> line() {
        return line > 0 ? Optional.of(line) : Optional.empty();
    }
}
