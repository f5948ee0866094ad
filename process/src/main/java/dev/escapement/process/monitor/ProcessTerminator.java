package dev.escapement.process.monitor;

import dev.escapement.process.monitor.MonitoredRun.TerminationLevel;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.ProcessTable.RunProcess;
import dev.escapement.process.os.ProcessTable.RunQuery;
import dev.escapement.process.run.OutputLog;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunOwner;
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
 * the processes of the machine. Belongs to the {@link EventLoop}.
 */
final class ProcessTerminator {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTerminator.class);
    private static final Duration RECHECK_DELAY = Duration.ofMillis(100);

    private final ProcessTable processTable;
    private final EventLoop eventLoop;
    private final Duration gracePeriod;
    private final BiConsumer<MonitoredRun, Boolean> onTerminated;
    private final Consumer<MonitoredRun> recheck;
    private final Map<MonitoredRun, RunOwner.Supervisor> requested = new LinkedHashMap<>();

    /**
     * @param clean hears of a run without any process but perhaps its supervisor, and whether that lives
     * @param again looks at a run
     */
    ProcessTerminator(
            ProcessTable processes,
            EventLoop loop,
            Duration grace,
            BiConsumer<MonitoredRun, Boolean> clean,
            Consumer<MonitoredRun> again) {
        this.processTable = processes;
        this.eventLoop = loop;
        this.gracePeriod = grace;
        this.onTerminated = clean;
        this.recheck = again;
    }

    void request(MonitoredRun run, RunOwner.Supervisor supervisor) {
        if (requested.isEmpty()) {
            eventLoop.execute(this::terminateRequested);
        }
        requested.put(run, supervisor);
    }

    /** From now on its end is waited for, and forced when the time is over. */
    void startEscalation(MonitoredRun run) {
        if (run.terminationLevel == TerminationLevel.NONE) {
            run.terminationLevel = TerminationLevel.TERMINATE_TASKS;
            Runnable kill = eventLoop.schedule(gracePeriod, () -> escalate(run, TerminationLevel.KILL_TASKS));
            Runnable killAll =
                    eventLoop.schedule(gracePeriod.multipliedBy(2), () -> escalate(run, TerminationLevel.KILL_ALL));
            run.cancelEscalation = () -> {
                kill.run();
                killAll.run();
            };
        }
    }

    private void escalate(MonitoredRun run, TerminationLevel force) {
        if (!run.finished) {
            LOG.info("run {} of {} takes longer to end than {}", run.plan.uid(), run.plan.execution(), gracePeriod);
            run.terminationLevel = force;
            recheck.accept(run);
        }
    }

    private void terminateRequested() {
        Map<MonitoredRun, RunOwner.Supervisor> now = new LinkedHashMap<>(requested);
        requested.clear();
        now.keySet().removeIf(run -> run.finished);
        // First who lives, then what there is: the other way round a supervisor that ends is taken for a leftover.
        Set<MonitoredRun> supervised = now.entrySet().stream()
                .filter(entry -> processTable.isAlive(entry.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        List<RunQuery> sought = now.entrySet().stream()
                .map(entry -> new RunQuery(entry.getKey().plan.uid(), entry.getValue()))
                .toList();
        Map<String, List<RunProcess>> members = sought.isEmpty() ? Map.of() : processTable.findProcesses(sought);
        now.keySet()
                .forEach(run ->
                        terminate(run, supervised.contains(run), members.getOrDefault(run.plan.uid(), List.of())));
    }

    private void terminate(MonitoredRun run, boolean alive, List<RunProcess> members) {
        // Without a supervisor, what it had besides its tasks must end too: it would go on with the next task.
        List<RunProcess> left = members.stream()
                .filter(member -> !member.isSupervisor() || !alive || run.terminationLevel == TerminationLevel.KILL_ALL)
                .toList();
        if (left.isEmpty()) {
            if (alive && !run.folder.hasFile(RunFolder.RESULT_FILE)) {
                startEscalation(run);
            }
            onTerminated.accept(run, alive);
            return;
        }
        startEscalation(run);
        logLeftovers(run, left);
        left.forEach(member -> signal(run, member, alive));
        run.cancelRecheck.run();
        run.cancelRecheck = eventLoop.schedule(RECHECK_DELAY, () -> recheck.accept(run));
    }

    private static void signal(MonitoredRun run, RunProcess member, boolean supervised) {
        boolean atOnce = member.isSupervisor() && !supervised;
        if (atOnce || run.terminationLevel.compareTo(TerminationLevel.KILL_TASKS) >= 0) {
            member.process().destroyForcibly();
        } else if (run.signalledPids.add(member.process().pid())) {
            member.process().destroy();
        }
    }

    /** A task that ends and leaves something behind may not know that it does. */
    private static void logLeftovers(MonitoredRun run, List<RunProcess> left) {
        boolean endedByItself = run.folder.hasFile(RunFolder.OVER_FILE) || run.folder.hasFile(RunFolder.RESULT_FILE);
        if (run.leftoversLogged || !endedByItself || left.stream().allMatch(RunProcess::isSupervisor)) {
            return;
        }
        run.leftoversLogged = true;
        String names = left.stream()
                .filter(member -> !member.isSupervisor())
                .map(member -> member.process().pid()
                        + member.process()
                                .info()
                                .command()
                                .map(name -> " " + name)
                                .orElse(""))
                .limit(10)
                .collect(Collectors.joining(", "));
        try {
            new OutputLog(run.folder.path().resolve(RunFolder.LOG_FILE))
                    .append("[escapement: the tasks left processes behind, which are ended now: " + names + "]");
        } catch (IOException full) {
            LOG.warn("run {} left processes behind: {}", run.plan.uid(), names, full);
        }
    }
}
