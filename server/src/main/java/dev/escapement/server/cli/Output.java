package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.view.DocumentText;
import picocli.CommandLine.Option;

/** The option that says for whom the result is. */
final class Output {

    /** What can be asked for. */
    enum Format {
        /** For people. */
        TABLE,
        /** For people, with more columns. */
        WIDE,
        JSON,
        YAML,
        /** One name per line, as commands take it. */
        NAME
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = {"table or wide for people; json, yaml or name for machines. Default: ${DEFAULT-VALUE}"})
    private Format format = Format.TABLE;

    boolean isWide() {
        return format == Format.WIDE;
    }

    boolean isForPeople() {
        return format == Format.TABLE || format == Format.WIDE;
    }

    /** Whether only names are wanted. */
    boolean isNames() {
        return format == Format.NAME;
    }

    /**
     * Prints the document if it is for machines.
     *
     * @param name of what it is about, as commands take it
     * @return whether it was
     */
    boolean print(JsonNode document, String name, Terminal terminal) {
        switch (format) {
            case JSON -> terminal.out().println(DocumentText.json(document, terminal));
            case YAML -> terminal.out().println(DocumentText.yaml(document, terminal));
            case NAME -> terminal.out().println(Printable.line(name));
            case TABLE, WIDE -> {
                return false;
            }
        }
        return true;
    }
}
