package dev.escapement.process.catalogue;

import java.util.Optional;

/**
 * Why a file is not in the catalogue.
 *
 * @param file its name
 * @param line in the file, from 1, if it is about a place
 * @param path in the document, such as {@code tasks[1].command}; empty if it is about the whole
 * @param message what is wrong, and what to do
 */
public record CatalogueProblem(String file, Optional<Integer> line, String path, String message) {

    /** All of it in one line, without the name of the file. */
    public String text() {
        String where = line.map(number -> "line " + number + (path.isEmpty() ? ": " : ", "))
                .orElse("");
        return where + (path.isEmpty() ? "" : path + ": ") + message;
    }

    @Override
    public String toString() {
        return file + ": " + text();
    }
}
