package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.kubernetes.Call.Kind;
import dev.escapement.cluster.SimulatedKubelet;
import dev.escapement.kubernetes.resource.RemediationTarget;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Lets executions of every kind happen and counts what the operator asked of the API server meanwhile. */
final class Counts {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** So long that a write that a busy machine holds up falls into the phase to which it belongs. */
    private static final Duration SETTLED = Duration.ofSeconds(4);

    private final CountsPlan plan;
    private final Site site;
    private final AuditLog log;
    private final Executions executions;
    private final Workflows workflows;
    private final KubernetesClient admin;

    Counts(CountsPlan plan, Site site, Executions executions, Workflows workflows) {
        this.plan = plan;
        this.site = site;
        this.log = site.log();
        this.executions = executions;
        this.workflows = workflows;
        this.admin = site.admin();
    }

    private interface Work {
        void run() throws Exception;
    }

    private Phase count(String title, int involved, Work work) throws Exception {
        long mark = log.mark();
        work.run();
        settle();
        return Phase.of(title, involved, new Tally(log.since(mark)), executions.targets());
    }

    /** Returns when the operator has asked for nothing but its lease for a while. */
    private void settle() throws Exception {
        long[] last = {log.mark(), System.nanoTime()};
        Await.until(
                () -> {
                    long mark = log.mark();
                    if (log.since(last[0]).stream().anyMatch(Counts::isWork)) {
                        last[1] = System.nanoTime();
                    }
                    last[0] = mark;
                    return System.nanoTime() - last[1] > SETTLED.toNanos();
                },
                PATIENCE,
                "the operator does not come to rest");
    }

    private static boolean isWork(Call call) {
        return call.kind() != Kind.LEASE && call.kind() != Kind.WATCH;
    }

    Phase completedInTurn() throws Exception {
        String image = workflows.succeed();
        settle();
        return count("completed, one after the other", plan.inTurn(), () -> {
            for (int i = 0; i < plan.inTurn(); i++) {
                executions.create("turn-" + i, "restart", image, "node/turn-" + i);
                executions.await(List.of("turn-" + i), "Completed", PATIENCE);
            }
        });
    }

    /** @param prefix of their names */
    Phase completedAtOnce(String prefix) throws Exception {
        return each("completed, all at once", prefix, plan.atOnce(), workflows.succeed(), "Completed");
    }

    Phase threeTasks() throws Exception {
        return each("completed, three tasks in turn", "three", plan.few(), workflows.threeTasks(), "Completed");
    }

    Phase failedDuring() throws Exception {
        return each("failed during execution", "during", plan.few(), workflows.fail(), "Failed");
    }

    Phase failedOnMissingBundle() throws Exception {
        return each("failed before it, bundle missing", "bundle", plan.few(), workflows.missing(), "Failed");
    }

    Phase failedOnRefusal() throws Exception {
        return each("failed before it, no image given", "refused", plan.few(), "", "Failed");
    }

    /** The targets and the workflow of {@link #completedInTurn()}, which has just run there. */
    Phase skippedByCooldown() throws Exception {
        String image = workflows.succeed();
        return count("skipped, cooldown", plan.inTurn(), () -> {
            List<String> names = names("again", plan.inTurn());
            for (int i = 0; i < plan.inTurn(); i++) {
                executions.create(names.get(i), "restart", image, "node/turn-" + i);
            }
            executions.await(names, "Skipped", PATIENCE);
        });
    }

    Phase skippedByBusy() throws Exception {
        executions.create("holder", "restart", workflows.waitForAnEnd(), "node/busy");
        awaitPods(1);
        settle();
        String image = workflows.succeed();
        Phase phase = count("skipped, busy (all on one target)", plan.few(), () -> {
            List<String> names = names("busy", plan.few());
            names.forEach(name -> executions.create(name, "drain", image, "node/busy"));
            executions.await(names, "Skipped", PATIENCE);
        });
        endPods();
        executions.await(List.of("holder"), "Completed", PATIENCE);
        settle();
        return phase;
    }

    /** Two phases: nothing happens to executions that run; then they end. */
    List<Phase> quiet() throws Exception {
        List<String> names = names("quiet", plan.few());
        String image = workflows.waitForAnEnd();
        names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
        executions.await(names, "Running", PATIENCE);
        awaitPods(plan.few());
        settle();
        Phase waiting = count(
                "waiting for %d s, all of it".formatted(plan.quiet().toSeconds()), 1, () -> Await.pass(plan.quiet()));
        Phase ending = count("the end of those", plan.few(), () -> {
            endPods();
            executions.await(names, "Completed", PATIENCE);
        });
        return List.of(waiting, ending);
    }

    /** With a cooldown of a second an entry is idle soon after the success that it remembers, and goes. */
    Phase idleEntries() throws Exception {
        site.set(Map.of("cooldown-period", "1s"));
        settle();
        List<String> names = names("idle", plan.few());
        String image = workflows.succeed();
        return count("completed, and its idle entry removed", plan.few(), () -> {
            names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
            executions.await(names, "Completed", PATIENCE);
            Await.until(() -> names.stream().noneMatch(this::isRemembered), PATIENCE, "entries that are idle stay");
        });
    }

    private boolean isRemembered(String name) {
        return Optional.ofNullable(admin.resources(RemediationTarget.class)
                        .withName(executions.targets().get(name))
                        .get())
                .isPresent();
    }

    private Phase each(String title, String prefix, int number, String image, String phase) throws Exception {
        return count(title, number, () -> {
            List<String> names = names(prefix, number);
            names.forEach(name -> executions.create(name, "restart", image, "node/" + name));
            executions.await(names, phase, PATIENCE);
        });
    }

    private static List<String> names(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> prefix + "-" + i).toList();
    }

    private void awaitPods(int number) throws Exception {
        Await.until(() -> runningPods().size() == number, PATIENCE, "the pods do not run");
    }

    private void endPods() {
        for (Pod pod : runningPods()) {
            admin.pods()
                    .inNamespace(Site.RUNS)
                    .withName(pod.getMetadata().getName())
                    .edit(seen -> {
                        seen.getMetadata().getAnnotations().put(SimulatedKubelet.END, "succeed");
                        return seen;
                    });
        }
    }

    private List<Pod> runningPods() {
        return new ArrayList<>(admin.pods().inNamespace(Site.RUNS).list().getItems())
                .stream()
                        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                        .toList();
    }
}
