package dev.escapement.process.runner;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.monitor.EventLoop;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable.RunQuery;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolder.StopReason;
import dev.escapement.process.run.RunPlan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the runs of a previous server process: adopts active ones, retains ended ones, removes stale ones. */
record RunRecovery(RunSupervision supervision, Predicate<ExecutionRef> isOwned) {

    private static final StopReason TAKEN_OVER_REASON = StopReason.cancelled("the server that took over its execution");

    /** @param endedAt {@link Instant#MAX} if the run is active */
    private record FoundRun(RunFolder folder, RunPlan plan, RunClaim.Supervisor supervisor, Instant endedAt) {}

    int recover() throws IOException {
        supervision.folders().removeLeftovers();
        List<FoundRun> active = new ArrayList<>();
        List<FoundRun> ended = new ArrayList<>();
        for (String key : supervision.folders().keys()) {
            RunFolder folder = supervision.folders().folder(key);
            Optional<Instant> at = folder.resultAt();
            Optional<RunClaim> owner = folder.owner();
            Optional<RunPlan> plan = folder.readPlan();
            if (owner.isEmpty()) {
                removeIfStale(folder, plan);
            } else if (plan.isPresent() && owner.get() instanceof RunClaim.Supervisor supervisor) {
                (at.isEmpty() ? active : ended)
                        .add(new FoundRun(folder, plan.get(), supervisor, at.orElse(Instant.MAX)));
            } else {
                supervision.folders().remove(key);
            }
        }
        for (FoundRun run : active) {
            if (isOwned.test(run.plan().execution())) {
                supervision.adopt(run.folder(), run.plan(), run.supervisor());
            } else {
                // Another server has recorded it as lost.
                supervision.stop(run.folder(), TAKEN_OVER_REASON);
            }
        }
        List<FoundRun> leftovers = filterWithProcesses(ended);
        // Whether owned or not: monitoring terminates their processes.
        leftovers.forEach(run -> supervision.adopt(run.folder(), run.plan(), run.supervisor()));
        ended.sort(Comparator.comparing(FoundRun::endedAt));
        RunFolderRetention retention = supervision.retention();
        EventLoop loop = supervision.eventLoop();
        loop.execute(
                () -> ended.forEach(run -> retention.addRecovered(run.folder().key(), run.endedAt())));
        return active.size() + leftovers.size();
    }

    private List<FoundRun> filterWithProcesses(List<FoundRun> ended) {
        List<FoundRun> ofThisBoot = ended.stream()
                .filter(run -> supervision.bootId().isBootOf(run.plan().uid()))
                .toList();
        if (ofThisBoot.isEmpty()) {
            return List.of();
        }
        List<RunQuery> queries = ofThisBoot.stream()
                .map(run -> new RunQuery(run.plan().uid(), run.supervisor()))
                .toList();
        Set<String> uids = supervision.processTable().findProcesses(queries).keySet();
        return ofThisBoot.stream()
                .filter(run -> uids.contains(run.plan().uid()))
                .toList();
    }

    /** Removes a run that will never be started: of another server's execution, of an earlier boot, or too old. */
    private void removeIfStale(RunFolder folder, Optional<RunPlan> plan) throws IOException {
        BootId boot = supervision.bootId();
        Duration keepFor = supervision.settings().keepFor();
        boolean fresh = plan.filter(found -> boot.isBootOf(found.uid()) && isOwned.test(found.execution()))
                        .isPresent()
                && folder.preparedAt().plus(keepFor).isAfter(supervision.clock().instant());
        if (!fresh && folder.claimForRemoval()) {
            supervision.folders().remove(folder.key());
        }
    }
}
