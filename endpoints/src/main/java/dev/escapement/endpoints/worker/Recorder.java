package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.MissedBeats;
import dev.escapement.endpoints.Planned;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.store.Claim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Result;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.endpoints.store.Verdict;
import dev.escapement.endpoints.worker.Flight.Landed;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what has landed: first the outcome is counted, then the next run is planned, and both are written together.
 * What cannot be written yet is kept, and tried again.
 */
final class Recorder {

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    /** So that one transaction does not get out of hand. */
    static final int MOST = 500;

    private final EndpointStore store;
    private final Planning planning;
    private final WorkerListener listener;
    private final List<Landed> waiting = new ArrayList<>();
    private volatile int count;

    Recorder(EndpointStore store, Planning planning, WorkerListener listener) {
        this.store = store;
        this.planning = planning;
        this.listener = listener;
    }

    void add(List<Landed> landed) {
        waiting.addAll(landed);
        count = waiting.size();
    }

    /** How many are not recorded yet. */
    int count() {
        return count;
    }

    List<Claim> claims() {
        return waiting.stream().map(landed -> landed.flight().claim()).toList();
    }

    /**
     * Records what there is, as far as it goes now.
     *
     * @param planned hears when the next runs are of those that are recorded, even if something fails after that
     */
    void record(Consumer<Instant> planned) {
        if (waiting.isEmpty()) {
            return;
        }
        List<Landed> part = List.copyOf(waiting.subList(0, Math.min(MOST, waiting.size())));
        List<Result> results = part.stream().map(this::result).toList();
        List<Verdict> verdicts = store.record(results);
        waiting.subList(0, part.size()).clear();
        List<Landed> changed = new ArrayList<>();
        int lost = 0;
        for (int i = 0; i < part.size(); i++) {
            switch (verdicts.get(i)) {
                case RECORDED -> {
                    Result result = results.get(i);
                    tell(result);
                    result.next().at().ifPresent(planned);
                }
                case CHANGED -> changed.add(part.get(i));
                case LOST -> lost++;
            }
        }
        // Kept until they were seen anew: a result that is known must not get lost with a question about it.
        waiting.addAll(changed);
        count = waiting.size();
        if (lost > 0) {
            listener.leaseLost(lost);
        }
        changed.forEach(this::again);
    }

    private void tell(Result result) {
        listener.ran(result.run());
        if (result.remedyDue()) {
            listener.remedyDue();
        }
    }

    /** People have changed it while it ran: what they say now is what the next run is planned from. */
    private void again(Landed landed) {
        Claim old = landed.flight().claim();
        Optional<Stored> seen = read(landed.flight().endpoint())
                .filter(now -> now.lease()
                        .filter(lease -> lease.token().equals(old.lease().token()))
                        .isPresent());
        waiting.remove(landed);
        seen.ifPresentOrElse(
                now -> waiting.add(landed.under(new Claim(now.endpoint(), now.revision(), old.host(), old.lease()))),
                () -> listener.leaseLost(1));
        count = waiting.size();
    }

    /**
     * What cannot be read here is left to a worker that can, when the lease has lapsed: it must not hold up the others.
     */
    private Optional<Stored> read(String endpoint) {
        try {
            return store.get(endpoint);
        } catch (UnexpectedStorageException unreadable) {
            LOG.warn("the result of a run is left out: {}", unreadable.getMessage(), unreadable);
            return Optional.empty();
        }
    }

    private Result result(Landed landed) {
        Claim claim = landed.flight().claim();
        Endpoint endpoint = claim.endpoint();
        Definition definition = endpoint.definition();
        Instant slot = landed.flight().slot();
        Instant endedAt = landed.endedAt().truncatedTo(ChronoUnit.MICROS);
        Answer answer = landed.answer();
        RunHistory before = endpoint.history();
        RunHistory after = counted(before, landed, endedAt);
        Instant now = store.clock().instant();
        Planned next = planning.plan(endpoint.id(), definition, endpoint.steering(), after, now);
        MissedBeats missed = MissedBeats.after(
                slot, landed.flight().planned().source(), landed.flight().startedAt(), definition, after, next, now);
        Run run = new Run(
                endpoint.id(),
                definition.name(),
                endpoint.number(),
                claim.lease().attempt(),
                slot,
                claim.lease().attempt() == 1 ? slot : claim.lease().since(),
                landed.flight().startedAt().truncatedTo(ChronoUnit.MICROS),
                endedAt,
                claim.lease().worker(),
                landed.flight().planned().source(),
                landed.flight().planned().story(),
                before.failures(),
                after.failures(),
                answer,
                missed.count(),
                missed.reason());
        boolean remedyDue = definition
                .remediation()
                .filter(remediation -> landed.counts() && after.failures() >= remediation.after())
                .isPresent();
        return new Result(claim, run, after, next, remedyDue);
    }

    /** What was never called says nothing about the other side. */
    private static RunHistory counted(RunHistory before, Landed landed, Instant endedAt) {
        Instant slot = landed.flight().slot();
        if (!landed.counts()) {
            return new RunHistory(before.origin(), before.failures(), Optional.of(new LastRun(slot, endedAt)));
        }
        return landed.answer().isSuccess()
                ? before.withSuccess(slot, endedAt)
                : before.withFailure(slot, endedAt, landed.answer().retryAfter());
    }
}
