package dev.escapement.cli.option;

import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.output.terminal.Terminal;
import picocli.CommandLine.Option;

/** The options that say how many. */
public final class LimitOption {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = {"At most so many. Default: ${DEFAULT-VALUE}"})
    private int limit;

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    public int limit() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit %d: it must be at least 1".formatted(limit));
        }
        return all ? Integer.MAX_VALUE : limit;
    }

    /** Not on standard output: whoever counts lines there counts results. */
    public void printIfTruncated(ResourceList listing, Terminal terminal) {
        if (listing.hasMore()) {
            terminal.err()
                    .printf(
                            "there are more than these %d: --limit N or --all shows them%n",
                            listing.items().size());
        }
    }
}
