package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.FaultProxy;
import dev.escapement.benchmarks.clustercrash.proxy.Weather;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One kind of fault after the other, while the load goes on. */
final class Phases {

    private static final Duration HANG = Duration.ofSeconds(4);
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CUTS = 4;

    private final Stage stage;
    private final Fleet fleet;
    private final Load load;
    private final Options options;
    private final Coverage coverage;
    private final Consumer<String> say;

    Phases(Stage stage, Fleet fleet, Load load, Options options, Coverage coverage, Consumer<String> say) {
        this.stage = stage;
        this.fleet = fleet;
        this.load = load;
        this.options = options;
        this.coverage = coverage;
        this.say = say;
    }

    void run() throws IOException, InterruptedException, TimeoutException {
        Wait.pause(CALM);
        say.accept("the operator is killed %d times, seed %d".formatted(options.kills(), options.seed()));
        new Kills(fleet.first(), coverage, options.seed()).run(options.kills(), say);
        fleet.first().awaitReady();
        if (options.sabotage().isPresent()) {
            return;
        }
        storm();
        apiServer();
        OperatorProcess second = fleet.add();
        together(second);
        say.accept(
                "an operator hangs between two writes %d times, another one does its work".formatted(options.stops()));
        new Stops(fleet.first(), second, load, stage, coverage, options.seed()).run(options.stops());
        fleet.remove(second);
    }

    private void storm() throws InterruptedException {
        say.accept("429, 500, lost answers and cut watches for %d s"
                .formatted(options.spell().toSeconds()));
        FaultProxy proxy = fleet.first().proxy();
        proxy.set(Weather.FOUL);
        for (int i = 0; i < CUTS; i++) {
            Wait.pause(options.spell().dividedBy(CUTS));
            coverage.make("cut watches", () -> Wait.until(() -> proxy.cutWatches() > 0, PATIENCE));
        }
        for (Weather.Mishap mishap : Weather.Mishap.ALL) {
            coverage.make(
                    "stormed " + mishap.name().toLowerCase(Locale.ROOT),
                    () -> Wait.until(() -> proxy.troubles().containsKey(mishap), PATIENCE));
        }
        proxy.set(Weather.FAIR);
        say.accept("  calls that went wrong: " + proxy.troubles());
    }

    private void together(OperatorProcess second) throws InterruptedException {
        say.accept(
                "two operators lead at once, for %d s".formatted(options.spell().toSeconds()));
        int before = fleet.first().proxy().writes();
        Wait.pause(options.spell());
        coverage.make(
                "two at work at once",
                () -> Wait.until(
                        () -> fleet.first().proxy().writes() > before
                                && second.proxy().writes() > 0,
                        PATIENCE));
    }

    private void apiServer() {
        for (int i = 0; i < options.restarts(); i++) {
            say.accept("the API server is killed and started again, then hangs for %d s".formatted(HANG.toSeconds()));
            stage.cluster().restartApiServer();
            Wait.pause(CALM);
            stage.cluster().freezeApiServer(true);
            Wait.pause(HANG);
            stage.cluster().freezeApiServer(false);
            Wait.pause(CALM);
        }
    }
}
