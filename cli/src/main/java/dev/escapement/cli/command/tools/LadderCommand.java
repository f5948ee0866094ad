package dev.escapement.cli.command.tools;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.Ladder;
import dev.escapement.backoff.Spread;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.output.DocumentFormatter;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ladder",
        sortOptions = false,
        description = {
            "Shows the waits of a backoff policy, attempt by attempt.",
            "",
            "The defaults are those of the workflow gate. A wait is drawn evenly between 'lowest' and 'highest' and",
            "never exceeds the maximum. With --spread percent it is never shorter than the base, unless base and",
            "maximum are equal: then the spread is below them."
        },
        footer = {
            "  escapement ladder",
            "  escapement ladder --base 30s --max 5m --multiplier 1.5 --attempts 10",
            "  escapement ladder --attempts 5 --within 1h       do five retries fit into an hour?",
            "  escapement ladder --simulate 1000                when do a thousand callers retry?",
            "  escapement ladder --json | jq '.rungs[].nominalSeconds'"
        })
@ExitCodes.Documented(ExitCodes.NO)
public final class LadderCommand extends ContextCommand {

    private static final int MAX_CALLERS = 1_000_000;
    private static final long MAX_DRAWS = 50_000_000;

    @Option(
            names = "--base",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "Wait after the first failure: 30s, 1m, 250ms, PT1M. Default: ${DEFAULT-VALUE}")
    private Duration base = Duration.ZERO;

    @Option(
            names = "--max",
            paramLabel = "DURATION",
            defaultValue = "10m",
            description = "Longest wait. Default: ${DEFAULT-VALUE}")
    private Duration max = Duration.ZERO;

    @Option(
            names = "--multiplier",
            paramLabel = "FACTOR",
            defaultValue = "2",
            description = "Factor from one wait to the next, 1 to 10. Default: ${DEFAULT-VALUE}")
    private double multiplier;

    @Option(
            names = "--jitter",
            paramLabel = "PERCENT",
            defaultValue = "10",
            description = "Spread around each wait, 0 to 50. Default: ${DEFAULT-VALUE}")
    private int jitter;

    @Option(
            names = "--max-exponent",
            paramLabel = "N",
            description = "Stop growing after N multiplications. Default: only --max limits the wait")
    private int maxExponent = BackoffSettings.NO_MAX_EXPONENT;

    @Option(
            names = "--spread",
            paramLabel = "NAME",
            defaultValue = "percent",
            description = {
                "percent (around the wait), full (from zero to the wait) or equal (from half of it). Default: ${DEFAULT-VALUE}"
            })
    private Spread spread = Spread.PERCENT;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            defaultValue = "8",
            description = "Number of attempts to show, 1 to 10000. Default: ${DEFAULT-VALUE}")
    private int attempts;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            description = "Check whether all waits together always fit into this time; exit code 1 if not.")
    private Optional<Duration> within = Optional.empty();

    @Option(
            names = "--simulate",
            paramLabel = "CALLERS",
            description = "Simulate N callers that fail at the same instant, and show when they retry.")
    private Optional<Integer> simulate = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of --simulate: the same seed gives the same result. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(names = "--json", description = "Print one JSON object, with times in seconds.")
    private boolean json;

    @Override
    public Integer call() {
        Backoff backoff = Backoff.of(new BackoffSettings(base, max, multiplier, jitter, maxExponent, spread));
        Ladder ladder = backoff.ladder(attempts);
        Optional<HerdSimulation> herd = simulate.map(callers -> simulate(backoff, callers));
        LadderReport report = new LadderReport(terminal, backoff.settings(), ladder, within, herd);
        if (json) {
            terminal.out().println(DocumentFormatter.toJson(report.toDocument(), terminal));
        } else {
            report.print();
        }
        return within.map(ladder::fitsWithin).orElse(true) ? ExitCodes.OK : ExitCodes.NO;
    }

    private HerdSimulation simulate(Backoff backoff, int callers) {
        if (callers < 1 || callers > MAX_CALLERS || (long) callers * attempts > MAX_DRAWS) {
            throw new IllegalArgumentException(
                    "--simulate %d with --attempts %d: it must be from 1 to %,d callers, and at most %,d draws together"
                            .formatted(callers, attempts, MAX_CALLERS, MAX_DRAWS));
        }
        return HerdSimulation.simulate(backoff, callers, attempts, new SplittableRandom(seed));
    }
}
