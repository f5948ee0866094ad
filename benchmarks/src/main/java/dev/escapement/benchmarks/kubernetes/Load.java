package dev.escapement.benchmarks.kubernetes;

import dev.escapement.benchmarks.endpoints.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Carries a load on one cluster, once by the operator and once by the bare client. */
final class Load {

    /** Until the last line is in the audit log, which is written behind the answers. */
    private static final Duration LOGGED = Duration.ofSeconds(2);

    private final LoadPlan plan;
    private final Site site;
    private final Path folder;
    private final Executions executions;
    private final InstantSource clock = InstantSource.system();
    private int feeds;

    Load(LoadPlan plan, Site site, Path folder, Executions executions) {
        this.plan = plan;
        this.site = site;
        this.folder = folder;
        this.executions = executions;
    }

    /** What only makes the writes, or all that the operator asks. */
    Measured bare(String title, String what, int number) throws Exception {
        Leftovers.remove(site.admin());
        String file = site.access().kubeconfig().toString();
        Path log = Files.createTempFile(folder, "bare", ".log");
        try (Child child =
                new Child(BareClientMain.class, log, List.of(file, Integer.toString(LoadPlan.THREADS), what))) {
            child.hear();
            feed(plan.unfinished(), LoadFeed.IMAGE).run(plan.warmUp());
            child.order(Integer.toString(plan.warmUp()));
            Measured measured = measure(title, child.handle(), number, plan.unfinished(), LoadFeed.IMAGE);
            child.order(Integer.toString(plan.warmUp() + number));
            return measured;
        }
    }

    /** The operator's warm-up. */
    void warmUp(String image) throws Exception {
        feed(plan.unfinished(), image).run(plan.warmUp());
    }

    Measured operator(String title, OperatorProcess operator, int number, int unfinished, String image)
            throws Exception {
        return measure(title, operator.handle(), number, unfinished, image);
    }

    private Measured measure(String title, ProcessHandle subject, int number, int unfinished, String image)
            throws Exception {
        long mark = site.log().mark();
        Processors before = Processors.now(subject, title);
        List<LoadFeed.Asked> asked = feed(unfinished, image).run(number);
        Await.pass(LOGGED);
        Processors spent = Processors.now(subject, title).since(before);
        List<Call> calls = site.log().since(mark);
        return new Measured(title, number, Timing.of(asked, calls), new Tally(calls), spent);
    }

    private LoadFeed feed(int unfinished, String image) {
        return new LoadFeed(executions, clock, "load" + ++feeds, image, plan.targets(), unfinished);
    }
}
