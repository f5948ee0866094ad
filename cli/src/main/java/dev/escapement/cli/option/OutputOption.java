package dev.escapement.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.output.DocumentFormatter;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Option;

/** The option that says for whom the result is. */
public final class OutputOption {

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

    public boolean isWide() {
        return format == Format.WIDE;
    }

    public boolean isHumanReadable() {
        return format == Format.TABLE || format == Format.WIDE;
    }

    /** Whether only names are wanted. */
    public boolean isNamesOnly() {
        return format == Format.NAME;
    }

    /**
     * Prints the document if it is for machines.
     *
     * @param name of what it is about, as commands take it
     * @return whether it was
     */
    public boolean printIfMachineReadable(JsonNode document, String name, Terminal terminal) {
        switch (format) {
            case JSON -> terminal.out().println(DocumentFormatter.toJson(document, terminal));
            case YAML -> terminal.out().println(DocumentFormatter.toYaml(document, terminal));
            case NAME -> terminal.out().println(TerminalText.singleLine(name));
            case TABLE, WIDE -> {
                return false;
            }
        }
        return true;
    }
}
