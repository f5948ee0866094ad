package dev.escapement.cli.option;

import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.output.terminal.Terminal;
import picocli.CommandLine.Option;

/** The options that limit the length of a list. */
public class LimitOption {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Show at most N. Default: ${DEFAULT-VALUE}")
    private int limit;

    @Option(names = "--all", description = "Show all.")
    private boolean all;

    public int limit() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit is %d: it must be at least 1".formatted(limit));
        }
        return all ? Integer.MAX_VALUE : limit;
    }

    /** Prints a note to standard error: scripts count the lines of standard output. */
    public void printIfTruncated(ResourceList list, Terminal terminal) {
        if (list.hasMore()) {
            terminal.printError("showing the first %d; use --limit N or --all for more"
                    .formatted(list.items().size()));
        }
    }
}
