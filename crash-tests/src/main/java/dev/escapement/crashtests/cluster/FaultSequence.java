package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.FaultProxy;
import dev.escapement.crashtests.cluster.proxy.FaultRates;
import dev.escapement.crashtests.kit.CrashTestWait;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One kind of fault after the other, while the load goes on. */
final class FaultSequence {

    private static final Duration HANG_TIME = Duration.ofSeconds(4);
    private static final Duration CALM_TIME = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int WATCH_CUTS = 4;

    private final CrashTestCluster cluster;
    private final OperatorGroup operators;
    private final ClusterLoad load;
    private final ClusterCrashTestOptions options;
    private final FaultCoverage coverage;
    private final Consumer<String> progress;

    FaultSequence(
            CrashTestCluster stage,
            OperatorGroup fleet,
            ClusterLoad load,
            ClusterCrashTestOptions options,
            FaultCoverage coverage,
            Consumer<String> say) {
        this.cluster = stage;
        this.operators = fleet;
        this.load = load;
        this.options = options;
        this.coverage = coverage;
        this.progress = say;
    }

    void run() throws IOException, InterruptedException, TimeoutException {
        CrashTestWait.sleep(CALM_TIME);
        progress.accept("the operator is killed %d times, seed %d".formatted(options.kills(), options.seed()));
        new KillScenario(operators.first(), coverage, options.seed()).run(options.kills(), progress);
        operators.first().awaitReady();
        if (options.sabotage().isPresent()) {
            return;
        }
        injectApiErrors();
        disturbApiServer();
        ProxiedOperatorProcess second = operators.start();
        runTwoOperators(second);
        progress.accept("an operator hangs between two writes %d times, another one does its work"
                .formatted(options.freezes()));
        new FreezeScenario(operators.first(), second, load, cluster, coverage, options.seed()).run(options.freezes());
        operators.remove(second);
    }

    private void injectApiErrors() throws InterruptedException {
        progress.accept("429, 500, lost answers and cut watches for %d s"
                .formatted(options.stormDuration().toSeconds()));
        FaultProxy proxy = operators.first().proxy();
        proxy.set(FaultRates.ALL_FAULTS);
        for (int i = 0; i < WATCH_CUTS; i++) {
            CrashTestWait.sleep(options.stormDuration().dividedBy(WATCH_CUTS));
            coverage.tryFault("cut watches", () -> CrashTestWait.waitUntil(() -> proxy.cutWatches() > 0, TIMEOUT));
        }
        for (FaultRates.InjectedFault mishap : FaultRates.InjectedFault.ALL) {
            coverage.tryFault(
                    "stormed " + mishap.name().toLowerCase(Locale.ROOT),
                    () -> CrashTestWait.waitUntil(() -> proxy.injectedFaults().containsKey(mishap), TIMEOUT));
        }
        proxy.set(FaultRates.NO_FAULTS);
        progress.accept("  calls that went wrong: " + proxy.injectedFaults());
    }

    private void runTwoOperators(ProxiedOperatorProcess second) throws InterruptedException {
        progress.accept("two operators lead at once, for %d s"
                .formatted(options.stormDuration().toSeconds()));
        int before = operators.first().proxy().writes();
        CrashTestWait.sleep(options.stormDuration());
        coverage.tryFault(
                "two at work at once",
                () -> CrashTestWait.waitUntil(
                        () -> operators.first().proxy().writes() > before
                                && second.proxy().writes() > 0,
                        TIMEOUT));
    }

    private void disturbApiServer() {
        for (int i = 0; i < options.apiServerRestarts(); i++) {
            progress.accept(
                    "the API server is killed and started again, then hangs for %d s".formatted(HANG_TIME.toSeconds()));
            cluster.cluster().restartApiServer();
            CrashTestWait.sleep(CALM_TIME);
            cluster.cluster().setApiServerFrozen(true);
            CrashTestWait.sleep(HANG_TIME);
            cluster.cluster().setApiServerFrozen(false);
            CrashTestWait.sleep(CALM_TIME);
        }
    }
}
