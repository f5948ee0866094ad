package dev.escapement.process;

import dev.escapement.process.LiveRun.Force;
import dev.escapement.process.ProcessTable.Member;
import dev.escapement.process.ProcessTable.Sought;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the processes of runs that must end or have ended. All runs that ask at about the same time share one look at
 * the processes of the machine. Belongs to the {@link Loop}.
 */
final class Sweep {

    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
    private static final Duration SOON = Duration.ofMillis(100);

    private final ProcessTable processes;
    private final Loop loop;
    private final Duration grace;
    private final BiConsumer<LiveRun, Boolean> clean;
    private final Consumer<LiveRun> again;
    private final Map<LiveRun, Claim.Supervisor> requested = new LinkedHashMap<>();

    /**
     * @param clean hears of a run without any process but perhaps its supervisor, and whether that lives
     * @param again looks at a run
     */
    Sweep(
            ProcessTable processes,
            Loop loop,
            Duration grace,
            BiConsumer<LiveRun, Boolean> clean,
            Consumer<LiveRun> again) {
        this.processes = processes;
        this.loop = loop;
        this.grace = grace;
        this.clean = clean;
        this.again = again;
    }

    void request(LiveRun run, Claim.Supervisor supervisor) {
        if (requested.isEmpty()) {
            loop.execute(this::sweepAll);
        }
        requested.put(run, supervisor);
    }

    /** From now on its end is waited for, and forced when the time is over. */
    void press(LiveRun run) {
        if (run.force == Force.NONE) {
            run.force = Force.ASK;
            Runnable kill = loop.after(grace, () -> force(run, Force.KILL_TASKS));
            Runnable killAll = loop.after(grace.multipliedBy(2), () -> force(run, Force.KILL_ALL));
            run.cancelForce = () -> {
                kill.run();
                killAll.run();
            };
        }
    }

    private void force(LiveRun run, Force force) {
        if (!run.finished) {
            LOG.info("run {} of {} takes longer to end than {}", run.plan.uid(), run.plan.execution(), grace);
            run.force = force;
            again.accept(run);
        }
    }

    private void sweepAll() {
        Map<LiveRun, Claim.Supervisor> now = new LinkedHashMap<>(requested);
        requested.clear();
        now.keySet().removeIf(run -> run.finished);
        // First who lives, then what there is: the other way round a supervisor that ends is taken for a leftover.
        Set<LiveRun> supervised = now.entrySet().stream()
                .filter(entry -> processes.isAlive(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        List<Sought> sought = now.entrySet().stream()
                .map(entry -> new Sought(entry.getKey().plan.uid(), entry.getValue()))
                .toList();
        Map<String, List<Member>> members = sought.isEmpty() ? Map.of() : processes.members(sought);
        now.keySet()
                .forEach(run -> sweep(run, supervised.contains(run), members.getOrDefault(run.plan.uid(), List.of())));
    }

    private void sweep(LiveRun run, boolean alive, List<Member> members) {
        // Without a supervisor, what it had besides its tasks must end too: it would go on with the next task.
        List<Member> left = members.stream()
                .filter(member -> !member.supervising() || !alive || run.force == Force.KILL_ALL)
                .toList();
        if (left.isEmpty()) {
            if (alive && !run.folder.has(RunFolder.RESULT)) {
                press(run);
            }
            clean.accept(run, alive);
            return;
        }
        press(run);
        tellLeftovers(run, left);
        left.forEach(member -> end(run, member, alive));
        run.cancelAgain.run();
        run.cancelAgain = loop.after(SOON, () -> again.accept(run));
    }

    private static void end(LiveRun run, Member member, boolean supervised) {
        boolean atOnce = member.supervising() && !supervised;
        if (atOnce || run.force.compareTo(Force.KILL_TASKS) >= 0) {
            member.process().destroyForcibly();
        } else if (run.asked.add(member.process().pid())) {
            member.process().destroy();
        }
    }

    /** A task that ends and leaves something behind may not know that it does. */
    private static void tellLeftovers(LiveRun run, List<Member> left) {
        boolean endedByItself = run.folder.has(RunFolder.OVER) || run.folder.has(RunFolder.RESULT);
        if (run.leftoversTold || !endedByItself || left.stream().allMatch(Member::supervising)) {
            return;
        }
        run.leftoversTold = true;
        String names = left.stream()
                .filter(member -> !member.supervising())
                .map(member -> member.process().pid()
                        + member.process()
                                .info()
                                .command()
                                .map(name -> " " + name)
                                .orElse(""))
                .limit(10)
                .collect(Collectors.joining(", "));
        try {
            new OutputLog(run.folder.path().resolve(RunFolder.LOG))
                    .append("[escapement: the tasks left processes behind, which are ended now: " + names + "]");
        } catch (IOException full) {
            LOG.warn("run {} left processes behind: {}", run.plan.uid(), names, full);
        }
    }
}
