package dev.escapement.server.cli;

import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.text.Terminal;
import picocli.CommandLine.Option;

/** The options that say how many. */
final class Amount {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = {"At most so many. Default: ${DEFAULT-VALUE}"})
    private int limit;

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    int limit() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit %d: it must be at least 1".formatted(limit));
        }
        return all ? Integer.MAX_VALUE : limit;
    }

    /** Not on standard output: whoever counts lines there counts results. */
    void sayIfMore(Listing listing, Terminal terminal) {
        if (listing.more()) {
            terminal.err()
                    .printf(
                            "there are more than these %d: --limit N or --all shows them%n",
                            listing.items().size());
        }
    }
}
