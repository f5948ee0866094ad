package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.endpoints.Verdicts;
import dev.escapement.cluster.Binaries;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code benchmarks/kubernetes}: what the operator asks of a cluster, and how much it carries. */
public final class KubernetesMain {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static final double LEAST_SHARE = 0.6;
    private static final double MEGABYTE = 1 << 20;
    private static final int CANNOT = 2;

    private final boolean quick;
    private final Path folder;
    private final Verdicts verdicts = new Verdicts();

    private KubernetesMain(boolean quick, Path folder) {
        this.quick = quick;
        this.folder = folder;
    }

    /**
     * Takes {@code --quick} and the parts {@code counts} and {@code load}, both if none is named; in the project's
     * folder.
     */
    public static void main(String[] args) throws Exception {
        Binaries binaries = Binaries.ofThisProcess();
        if (!binaries.missing().isEmpty()) {
            System.err.println(binaries.howToGet());
            System.exit(CANNOT);
        }
        List<String> parts = new ArrayList<>(List.of(args));
        boolean quick = parts.remove("--quick");
        Path folder = Files.createTempDirectory("escapement-kubernetes");
        System.exit(exit(new KubernetesMain(quick, folder), parts));
    }

    private static int exit(KubernetesMain main, List<String> parts) throws Exception {
        try {
            return main.run(parts) ? 0 : 1;
        } catch (Exception failure) {
            failure.printStackTrace();
            return CANNOT;
        }
    }

    private boolean run(List<String> parts) throws Exception {
        load("Before");
        if (parts.isEmpty() || parts.contains("counts")) {
            counts();
        }
        if (parts.isEmpty() || parts.contains("load")) {
            carry();
            carryWithTekton();
        }
        print("%nTargets");
        verdicts.lines().forEach(OUT::println);
        load("After");
        return verdicts.isGood();
    }

    private void counts() throws Exception {
        print("%nCounts, from the API server's audit log: a real Tekton, a simulated kubelet, the packaged operator");
        CountsPlan plan = quick ? CountsPlan.QUICK : CountsPlan.FULL;
        try (Site site = Site.withTekton(this::progress);
                Workflows workflows = new Workflows();
                Executions executions = new Executions(site.admin());
                OperatorProcess operator = new OperatorProcess(site.access(), folder)) {
            executions.dependOn(operator.handle());
            Counts counts = new Counts(plan, site, executions, workflows);
            print("%s", Phase.head());
            for (Phase phase : List.of(counts.completedInTurn(), atOnce(counts))) {
                show(phase);
                CountsVerdicts.completed(verdicts, phase);
            }
            for (Phase phase : List.of(counts.skippedByCooldown(), counts.skippedByBusy())) {
                show(phase);
                CountsVerdicts.skipped(verdicts, phase);
            }
            List<Phase> quiet = counts.quiet();
            quiet.forEach(KubernetesMain::show);
            CountsVerdicts.quiet(verdicts, quiet.get(0));
            print("  not judged:");
            show(counts.threeTasks());
            show(counts.failedDuring());
            show(counts.failedOnMissingBundle());
            show(counts.failedOnRefusal());
            show(counts.idleEntries());
        }
    }

    /**
     * On a machine that stands still for seconds a write may be made twice, and be refused: then it is counted once
     * more.
     */
    private static Phase atOnce(Counts counts) throws Exception {
        Phase first = counts.completedAtOnce("once");
        if (CountsVerdicts.isLean(first)) {
            return first;
        }
        show(first);
        print("  that was more than it takes; once more:");
        return counts.completedAtOnce("once-more");
    }

    private static void show(Phase phase) {
        print("%s%n%s", phase.line(), phase.detail());
    }

    private void carry() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        print(
                "%nLoad: %,d executions over %,d targets, each use of a target by another workflow, %d unfinished at most",
                plan.executions(), plan.targets(), plan.unfinished());
        print("  Tekton's controller is simulated: whatever is let go has succeeded. etcd waits for the disk.");
        try (Site site = Site.withoutTekton(this::progress);
                Executions executions = new Executions(site.admin());
                SimulatedTekton tekton = new SimulatedTekton(site.admin(), InstantSource.system())) {
            Load load = new Load(plan, site, folder, executions);
            print("%s", Measured.head());
            Measured before = show(load.bare("bare client, before", "six", plan.executions() / 2));
            Measured operator = operator(load, site, plan);
            Measured after = show(load.bare("bare client, after", "six", plan.executions() / 2));
            show(load.bare("bare client, read and events too", "all", plan.executions() / 4));
            print("      the simulated Tekton ended %,d runs", tekton.ended());
            judge(operator, before, after);
        }
    }

    private Measured operator(Load load, Site site, LoadPlan plan) throws Exception {
        Leftovers.remove(site.admin());
        try (OperatorProcess operator = new OperatorProcess(site.access(), folder)) {
            load.warmUp(LoadFeed.IMAGE);
            Measured measured =
                    show(load.operator("operator", operator, plan.executions(), plan.unfinished(), LoadFeed.IMAGE));
            print("      events still to be told after the last execution had ended: %,d", operator.waitingEvents());
            print("      heap after a collection, all executions still there: %.1f MB", operator.heap() / MEGABYTE);
            show(load.operator("operator, one at a time", operator, plan.inTurn(), 1, LoadFeed.IMAGE));
            return measured;
        }
    }

    private void judge(Measured operator, Measured before, Measured after) {
        double limit = (before.timing().perSecond() + after.timing().perSecond()) / 2;
        double share = operator.timing().perSecond() / limit;
        verdicts.judge(
                share >= LEAST_SHARE,
                "at least 60 % of a bare client that only makes the six writes",
                "%.1f of %.1f per second (%.1f before, %.1f after), %.0f %%",
                operator.timing().perSecond(),
                limit,
                before.timing().perSecond(),
                after.timing().perSecond(),
                100 * share);
    }

    /** How much of it is left when Tekton does its own work on the same processors. */
    private void carryWithTekton() throws Exception {
        LoadPlan plan = quick ? LoadPlan.QUICK : LoadPlan.FULL;
        print("%nThe same with the real Tekton and a simulated kubelet: %,d executions", plan.withTekton());
        try (Site site = Site.withTekton(this::progress);
                Workflows workflows = new Workflows();
                Executions executions = new Executions(site.admin());
                OperatorProcess operator = new OperatorProcess(site.access(), folder)) {
            print("%s", Measured.head());
            Load load = new Load(plan, site, folder, executions);
            show(load.operator(
                    "operator, real Tekton", operator, plan.withTekton(), plan.unfinished(), workflows.succeed()));
        }
    }

    private static Measured show(Measured measured) {
        print("%s%n%s", measured.line(), measured.detail());
        return measured;
    }

    private void progress(String line) {
        System.err.println(line);
    }

    private static void load(String when) {
        print(
                "%s: load average %.1f on %d processors (our own share is about 2)",
                when,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    private static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }
}
