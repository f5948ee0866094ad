package dev.escapement.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.output.DocumentFormatter;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import picocli.CommandLine.Option;

/** The option that selects the output format. */
public final class OutputOption {

    enum Format {
        TABLE,
        /** A table with more columns. */
        WIDE,
        JSON,
        YAML,
        /** One name per line, as other commands accept it. */
        NAME
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, wide, json, yaml or name. Default: ${DEFAULT-VALUE}")
    private Format format = Format.TABLE;

    public boolean isWide() {
        return format == Format.WIDE;
    }

    public boolean isHumanReadable() {
        return format == Format.TABLE || format == Format.WIDE;
    }

    public boolean isNamesOnly() {
        return format == Format.NAME;
    }

    /**
     * Prints the document if the format is JSON, YAML or name.
     *
     * @param name printed with the format name
     * @return whether it was printed
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
