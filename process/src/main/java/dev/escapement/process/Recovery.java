package dev.escapement.process;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.ProcessTable.Sought;
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
record Recovery(
        Station station,
        Boot boot,
        RandomGenerator random,
        InstantSource clock,
        Duration keepFor,
        Predicate<ExecutionRef> ours) {

    private static final Stop TAKEN_OVER = Stop.cancelled("whoever carries its execution on now");

    private record Found(String key, RunFolder folder, Plan plan, Claim.Supervisor supervisor) {}

    private record Ended(String key, Instant at) {}

    int recover() throws IOException {
        station.runs().tidy();
        List<Found> going = new ArrayList<>();
        List<Found> over = new ArrayList<>();
        List<Ended> ended = new ArrayList<>();
        for (String key : station.runs().keys()) {
            RunFolder folder = station.runs().run(key);
            Optional<Instant> at = folder.resultAt();
            Optional<Claim> claim = folder.claim();
            Optional<Plan> plan = folder.plan();
            if (claim.isEmpty()) {
                removeIfInVain(key, folder, plan);
            } else if (plan.isPresent() && claim.get() instanceof Claim.Supervisor supervisor) {
                (at.isEmpty() ? going : over).add(new Found(key, folder, plan.get(), supervisor));
                at.ifPresent(time -> ended.add(new Ended(key, time)));
            } else {
                station.runs().remove(key, Hex.nonce(random));
            }
        }
        for (Found run : going) {
            if (ours.test(run.plan().execution())) {
                station.find(run.key(), run.folder(), run.plan(), run.supervisor());
            } else {
                // Others have recorded it as lost: it must not go on behind everybody's back.
                station.stop(run.key(), run.folder(), TAKEN_OVER);
            }
        }
        List<Found> leftovers = withProcesses(over);
        // Whoever's they were: looking after them ends what they have left behind.
        leftovers.forEach(run -> station.find(run.key(), run.folder(), run.plan(), run.supervisor()));
        ended.sort(Comparator.comparing(Ended::at));
        station.loop().execute(() -> ended.forEach(run -> station.retention().found(run.key(), run.at())));
        return going.size() + leftovers.size();
    }

    /** Runs that are over, and have left something behind. */
    private List<Found> withProcesses(List<Found> over) {
        List<Found> ofThisBoot =
                over.stream().filter(run -> boot.made(run.plan().uid())).toList();
        List<Sought> sought = ofThisBoot.stream()
                .map(run -> new Sought(run.plan().uid(), run.supervisor()))
                .toList();
        Set<String> left = sought.isEmpty()
                ? Set.of()
                : station.processes().members(sought).keySet();
        return ofThisBoot.stream()
                .filter(run -> left.contains(run.plan().uid()))
                .toList();
    }

    /**
     * Of an execution that is not ours, or prepared long ago, or before the machine went down: nobody will start it.
     */
    private void removeIfInVain(String key, RunFolder folder, Optional<Plan> plan) throws IOException {
        boolean fresh = plan.filter(made -> boot.made(made.uid()) && ours.test(made.execution()))
                        .isPresent()
                && folder.preparedAt().plus(keepFor).isAfter(clock.instant());
        if (!fresh && folder.claimForRemoval()) {
            station.runs().remove(key, Hex.nonce(random));
        }
    }
}
