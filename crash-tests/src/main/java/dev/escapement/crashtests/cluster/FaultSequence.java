package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.judge.RevisionRange;
import dev.escapement.crashtests.cluster.proxy.FaultProxy;
import dev.escapement.crashtests.cluster.proxy.FaultRates;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Injects one kind of fault after the other, under load. */
final class FaultSequence {

    private static final Duration HANG_TIME = Duration.ofSeconds(4);
    private static final Duration RECOVERY_TIME = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int WATCH_INTERRUPTIONS = 4;

    private final CrashTestCluster cluster;
    private final OperatorGroup operators;
    private final ClusterLoad load;
    private final ClusterCrashTestOptions options;
    private final FaultCoverage coverage;
    private final Consumer<String> progress;
    private final Set<String> lostEntries = new HashSet<>();
    private final List<RevisionRange> executorOutages = new ArrayList<>();

    FaultSequence(
            CrashTestCluster cluster,
            OperatorGroup operators,
            ClusterLoad load,
            ClusterCrashTestOptions options,
            FaultCoverage coverage,
            Consumer<String> progress) {
        this.cluster = cluster;
        this.operators = operators;
        this.load = load;
        this.options = options;
        this.coverage = coverage;
        this.progress = progress;
    }

    /** Returns the object names of the ledger entries that were removed by force. */
    Set<String> lostEntries() {
        return Set.copyOf(lostEntries);
    }

    /** Returns when Tekton was away. */
    List<RevisionRange> executorOutages() {
        return List.copyOf(executorOutages);
    }

    void run() throws IOException, InterruptedException, TimeoutException {
        ConditionPoller.sleep(RECOVERY_TIME);
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
        progress.accept("an operator is frozen between two writes %d times, and another one continues its executions"
                .formatted(options.freezes()));
        new FreezeScenario(operators.first(), second, load, cluster, coverage, options.seed()).run(options.freezes());
        progress.accept("the ledger entry of a frozen operator is removed %d times".formatted(options.entryRemovals()));
        LostEntryScenario lost =
                new LostEntryScenario(operators.first(), second, load, cluster, coverage, options.seed());
        lost.run(options.entryRemovals());
        lostEntries.addAll(lost.lostEntries());
        operators.remove(second);
        if (!options.tektonOutage()) {
            return;
        }
        progress.accept("Tekton's webhook is away, then its controller, and the operator is killed meanwhile");
        TektonOutageScenario outage = new TektonOutageScenario(operators.first(), load, cluster, coverage);
        outage.run();
        executorOutages.addAll(outage.outages());
    }

    private void injectApiErrors() throws InterruptedException {
        progress.accept("429, 500, lost responses and interrupted watches for %d s"
                .formatted(options.faultDuration().toSeconds()));
        FaultProxy proxy = operators.first().proxy();
        proxy.set(FaultRates.ALL_FAULTS);
        for (int i = 0; i < WATCH_INTERRUPTIONS; i++) {
            ConditionPoller.sleep(options.faultDuration().dividedBy(WATCH_INTERRUPTIONS));
            coverage.tryFault(
                    "interrupted watches", () -> ConditionPoller.isTrueWithin(TIMEOUT, () -> proxy.closeWatches() > 0));
        }
        for (FaultRates.InjectedFault fault : FaultRates.InjectedFault.ALL) {
            coverage.tryFault(
                    "injected " + fault.name().toLowerCase(Locale.ROOT),
                    () -> ConditionPoller.isTrueWithin(
                            TIMEOUT, () -> proxy.injectedFaults().containsKey(fault)));
        }
        proxy.set(FaultRates.NO_FAULTS);
        progress.accept("  injected faults: " + proxy.injectedFaults());
    }

    private void runTwoOperators(ProxiedOperatorProcess second) throws InterruptedException {
        progress.accept("two operators lead at once, for %d s"
                .formatted(options.faultDuration().toSeconds()));
        int before = operators.first().proxy().writes();
        ConditionPoller.sleep(options.faultDuration());
        coverage.tryFault(
                "two operators reconcile at once",
                () -> ConditionPoller.isTrueWithin(
                        TIMEOUT,
                        () -> operators.first().proxy().writes() > before
                                && second.proxy().writes() > 0));
    }

    private void disturbApiServer() {
        for (int i = 0; i < options.apiServerRestarts(); i++) {
            progress.accept(
                    "the API server is killed and started again, then hangs for %d s".formatted(HANG_TIME.toSeconds()));
            cluster.cluster().restartApiServer();
            ConditionPoller.sleep(RECOVERY_TIME);
            cluster.cluster().setApiServerFrozen(true);
            ConditionPoller.sleep(HANG_TIME);
            cluster.cluster().setApiServerFrozen(false);
            ConditionPoller.sleep(RECOVERY_TIME);
        }
    }
}
