package dev.escapement.process.runner;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable.RunQuery;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.StopReason;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** What a server does first: looks through the runs that were kept, whose number is bounded. */
record RunRecovery(
        RunSupervision supervision,
        BootId bootId,
        RandomGenerator random,
        InstantSource clock,
        Duration keepFor,
        Predicate<ExecutionRef> isOwned) {

    private static final StopReason TAKEN_OVER_REASON = StopReason.cancelled("whoever carries its execution on now");

    private record FoundRun(String key, RunFolder folder, RunPlan plan, RunOwner.Supervisor supervisor) {}

    private record EndedRun(String key, Instant at) {}

    int recover() throws IOException {
        supervision.folders().removeLeftovers();
        List<FoundRun> going = new ArrayList<>();
        List<FoundRun> over = new ArrayList<>();
        List<EndedRun> ended = new ArrayList<>();
        for (String key : supervision.folders().keys()) {
            RunFolder folder = supervision.folders().folder(key);
            Optional<Instant> at = folder.resultAt();
            Optional<RunOwner> claim = folder.owner();
            Optional<RunPlan> plan = folder.readPlan();
            if (claim.isEmpty()) {
                removeIfStale(key, folder, plan);
            } else if (plan.isPresent() && claim.get() instanceof RunOwner.Supervisor supervisor) {
                (at.isEmpty() ? going : over).add(new FoundRun(key, folder, plan.get(), supervisor));
                at.ifPresent(time -> ended.add(new EndedRun(key, time)));
            } else {
                supervision.folders().remove(key, Digests.randomNonce(random));
            }
        }
        for (FoundRun run : going) {
            if (isOwned.test(run.plan().execution())) {
                supervision.adopt(run.key(), run.folder(), run.plan(), run.supervisor());
            } else {
                // Others have recorded it as lost: it must not go on behind everybody's back.
                supervision.stop(run.key(), run.folder(), TAKEN_OVER_REASON);
            }
        }
        List<FoundRun> leftovers = filterWithProcesses(over);
        // Whoever's they were: looking after them ends what they have left behind.
        leftovers.forEach(run -> supervision.adopt(run.key(), run.folder(), run.plan(), run.supervisor()));
        ended.sort(Comparator.comparing(EndedRun::at));
        supervision
                .eventLoop()
                .execute(() -> ended.forEach(run -> supervision.retention().addRecovered(run.key(), run.at())));
        return going.size() + leftovers.size();
    }

    /** Runs that are over, and have left something behind. */
    private List<FoundRun> filterWithProcesses(List<FoundRun> over) {
        List<FoundRun> ofThisBoot =
                over.stream().filter(run -> bootId.isBootOf(run.plan().uid())).toList();
        List<RunQuery> sought = ofThisBoot.stream()
                .map(run -> new RunQuery(run.plan().uid(), run.supervisor()))
                .toList();
        Set<String> left = sought.isEmpty()
                ? Set.of()
                : supervision.processTable().findProcesses(sought).keySet();
        return ofThisBoot.stream()
                .filter(run -> left.contains(run.plan().uid()))
                .toList();
    }

    /**
     * Of an execution that is not ours, or prepared long ago, or before the machine went down: nobody will start it.
     */
    private void removeIfStale(String key, RunFolder folder, Optional<RunPlan> plan) throws IOException {
        boolean fresh = plan.filter(made -> bootId.isBootOf(made.uid()) && isOwned.test(made.execution()))
                        .isPresent()
                && folder.preparedAt().plus(keepFor).isAfter(clock.instant());
        if (!fresh && folder.claimForRemoval()) {
            supervision.folders().remove(key, Digests.randomNonce(random));
        }
    }
}
