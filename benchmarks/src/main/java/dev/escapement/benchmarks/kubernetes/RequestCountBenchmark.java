package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.UntypedTarget;
import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Creates executions of every kind and counts the requests of the operator to the API server. */
final class RequestCountBenchmark {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** Long enough that a write that is delayed on a busy machine is counted in its own phase. */
    private static final Duration SETTLE_TIME = Duration.ofSeconds(4);

    private final RequestCountPlan plan;
    private final BenchmarkCluster cluster;
    private final AuditLog auditLog;
    private final ExecutionTracker executions;
    private final BenchmarkWorkflows workflows;
    private final KubernetesClient admin;

    RequestCountBenchmark(
            RequestCountPlan plan,
            BenchmarkCluster cluster,
            ExecutionTracker executions,
            BenchmarkWorkflows workflows) {
        this.plan = plan;
        this.cluster = cluster;
        this.auditLog = cluster.auditLog();
        this.executions = executions;
        this.workflows = workflows;
        this.admin = cluster.admin();
    }

    private interface CountedAction {
        void run() throws Exception;
    }

    private RequestCountResult count(String title, int involved, CountedAction work) throws Exception {
        long position = auditLog.position();
        work.run();
        awaitSettled();
        return RequestCountResult.of(
                title, involved, new RequestTally(auditLog.readSince(position)), executions.targets());
    }

    /** Returns when the operator has sent no request except for its lease for a while. */
    private void awaitSettled() throws Exception {
        long[] last = {auditLog.position(), System.nanoTime()};
        ConditionPoller.await("the operator is idle", TIMEOUT, () -> {
            long position = auditLog.position();
            if (auditLog.readSince(last[0]).stream().anyMatch(RequestCountBenchmark::countsAsWork)) {
                last[1] = System.nanoTime();
            }
            last[0] = position;
            return System.nanoTime() - last[1] > SETTLE_TIME.toNanos();
        });
    }

    private static boolean countsAsWork(AuditedRequest call) {
        return call.kind() != Kind.LEASE && call.kind() != Kind.WATCH;
    }

    RequestCountResult countCompletedSequentially() throws Exception {
        String image = workflows.succeedingImage();
        awaitSettled();
        return count("completed, one after the other", plan.sequential(), () -> {
            for (int i = 0; i < plan.sequential(); i++) {
                executions.create("turn-" + i, "restart", image, "node/turn-" + i);
                executions.awaitPhase(List.of("turn-" + i), "Completed", TIMEOUT);
            }
        });
    }

    /** @param prefix of their names */
    RequestCountResult countCompletedConcurrently(String prefix) throws Exception {
        return countExecutions(
                "completed, all at once", prefix, plan.concurrent(), workflows.succeedingImage(), "Completed");
    }

    RequestCountResult countThreeTasks() throws Exception {
        return countExecutions(
                "completed, three tasks in sequence", "three", plan.others(), workflows.threeTaskImage(), "Completed");
    }

    RequestCountResult countFailedDuringExecution() throws Exception {
        return countExecutions("failed during execution", "during", plan.others(), workflows.failingImage(), "Failed");
    }

    RequestCountResult countFailedOnMissingBundle() throws Exception {
        return countExecutions(
                "failed before execution, bundle missing", "bundle", plan.others(), workflows.missingImage(), "Failed");
    }

    RequestCountResult countFailedOnRejection() throws Exception {
        return countExecutions("failed before execution, no image given", "refused", plan.others(), "", "Failed");
    }

    /** The targets and the workflow of {@link #countCompletedSequentially()}, which has just run there. */
    RequestCountResult countSkippedByCooldown() throws Exception {
        String image = workflows.succeedingImage();
        return count("skipped, cooldown", plan.sequential(), () -> {
            List<String> names = numberedNames("again", plan.sequential());
            for (int i = 0; i < plan.sequential(); i++) {
                executions.create(names.get(i), "restart", image, "node/turn-" + i);
            }
            executions.awaitPhase(names, "Skipped", TIMEOUT);
        });
    }

    RequestCountResult countSkippedByBusy() throws Exception {
        executions.create("holder", "restart", workflows.waitingImage(), "node/busy");
        awaitPods(1);
        awaitSettled();
        String image = workflows.succeedingImage();
        RequestCountResult phase = count("skipped, busy (all on one target)", plan.others(), () -> {
            List<String> names = numberedNames("busy", plan.others());
            names.forEach(name -> executions.create(name, "drain", image, "node/busy"));
            executions.awaitPhase(names, "Skipped", TIMEOUT);
        });
        endPods();
        executions.awaitPhase(List.of("holder"), "Completed", TIMEOUT);
        awaitSettled();
        return phase;
    }

    /** Counts two phases: executions wait for their runs; then they end. */
    List<RequestCountResult> countWaitingAndEnding() throws Exception {
        List<String> names = numberedNames("quiet", plan.others());
        String image = workflows.waitingImage();
        names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
        executions.awaitPhase(names, "Running", TIMEOUT);
        awaitPods(plan.others());
        awaitSettled();
        RequestCountResult waiting = count(
                "waiting for %d s, total".formatted(plan.quietTime().toSeconds()),
                1,
                () -> ConditionPoller.sleep(plan.quietTime()));
        RequestCountResult ending = count("the end of these", plan.others(), () -> {
            endPods();
            executions.awaitPhase(names, "Completed", TIMEOUT);
        });
        return List.of(waiting, ending);
    }

    /** With a cooldown of one second a ledger entry is idle and removed soon after the success. */
    RequestCountResult countIdleEntryRemoval() throws Exception {
        cluster.updatePolicy(Map.of("cooldown-period", "1s"));
        awaitSettled();
        List<String> names = numberedNames("idle", plan.others());
        String image = workflows.succeedingImage();
        return count("completed, and its idle entry removed", plan.others(), () -> {
            names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
            executions.awaitPhase(names, "Completed", TIMEOUT);
            ConditionPoller.await(
                    "idle entries are removed", TIMEOUT, () -> names.stream().noneMatch(this::hasLedgerEntry));
        });
    }

    private boolean hasLedgerEntry(String name) {
        return Optional.ofNullable(admin.resources(UntypedTarget.class)
                        .withName(executions.targets().get(name))
                        .get())
                .isPresent();
    }

    private RequestCountResult countExecutions(String title, String prefix, int number, String image, String phase)
            throws Exception {
        return count(title, number, () -> {
            List<String> names = numberedNames(prefix, number);
            names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
            executions.awaitPhase(names, phase, TIMEOUT);
        });
    }

    private static List<String> numberedNames(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> prefix + "-" + i).toList();
    }

    private void awaitPods(int number) throws Exception {
        ConditionPoller.await("the pods run", TIMEOUT, () -> runningPods().size() == number);
    }

    private void endPods() {
        for (Pod pod : runningPods()) {
            admin.pods()
                    .inNamespace(BenchmarkCluster.RUN_NAMESPACE)
                    .withName(pod.getMetadata().getName())
                    .edit(seen -> {
                        seen.getMetadata().getAnnotations().put(SimulatedKubelet.END_ANNOTATION, "succeed");
                        return seen;
                    });
        }
    }

    private List<Pod> runningPods() {
        return new ArrayList<>(admin.pods()
                        .inNamespace(BenchmarkCluster.RUN_NAMESPACE)
                        .list()
                        .getItems())
                .stream()
                        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                        .toList();
    }
}
