package dev.escapement.engine;

import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.Policy;
import java.time.Instant;
import java.util.Optional;

/**
 * The limits of a started run whose executor does not react: how long it may wait to be picked up, how long it may run,
 * and how long it may take to stop. A run that is past its timeout is stopped; one that does not stop is removed, so
 * that no execution holds its target without a limit.
 */
record RunLimits(WorkflowRunner runner, Policy policy, Instant now) {

    /** Returns until when an executor may pick up a run that was started at that time. */
    Instant pickupLimit(Instant startedAt) {
        return startedAt.plus(policy.pickupTimeout());
    }

    /**
     * Stops the run if that is requested or if it is overdue.
     *
     * @param actor who requested to stop it, if anyone did
     * @return when to look at it again; {@link Requeue#IMMEDIATELY} if it was removed
     */
    Requeue enforce(RunRef run, Observation.Running active, Optional<String> actor) {
        if (actor.isPresent()) {
            return stop(run, active, () -> runner.stop(run, actor.get()));
        }
        Optional<Instant> overdueAt = active.deadline().map(deadline -> deadline.plus(policy.executorTimeout()));
        if (overdueAt.isEmpty()) {
            return Requeue.ON_CHANGE;
        }
        return now.isBefore(overdueAt.get())
                ? Requeue.at(overdueAt.get())
                : stop(run, active, () -> runner.expire(run));
    }

    /** Stops a run that must not go on, whatever state it is in. */
    Requeue stop(RunRef run, String actor) {
        Observation observed = runner.observe(run);
        if (observed instanceof Observation.Running active) {
            return enforce(run, active, Optional.of(actor));
        } else if (observed instanceof Observation.Stalled stalled) {
            runner.withdraw(run, stalled.version(), FailureFactory.withdrawnBy(actor, now));
        }
        return Requeue.IMMEDIATELY;
    }

    private Requeue stop(RunRef run, Observation.Running active, Runnable request) {
        Instant requestedAt = now;
        Optional<ExecutorUnavailableException> refused = Optional.empty();
        if (active.stopRequestedAt().isPresent()) {
            requestedAt = active.stopRequestedAt().get();
        } else {
            refused = request(request);
            requestedAt = refused.map(ExecutorUnavailableException::since).orElse(now);
        }
        Instant removeAt = requestedAt.plus(policy.executorTimeout());
        if (!now.isBefore(removeAt)) {
            return runner.removeStarted(run) ? Requeue.IMMEDIATELY : Requeue.at(now);
        }
        if (refused.isPresent()) {
            throw refused.get();
        }
        return Requeue.at(removeAt);
    }

    private static Optional<ExecutorUnavailableException> request(Runnable request) {
        try {
            request.run();
            return Optional.empty();
        } catch (ExecutorUnavailableException unavailable) {
            return Optional.of(unavailable);
        }
    }
}
