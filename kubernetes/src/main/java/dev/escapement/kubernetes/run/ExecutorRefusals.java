package dev.escapement.kubernetes.run;

import dev.escapement.common.BoundedMap;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutorUnavailableException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/** Remembers since when requests about a run fail, for as long as this process runs. Thread-safe. */
final class ExecutorRefusals {

    private static final int MAX_RUNS = 10_000;

    private final Map<String, Instant> sinceByUid = new BoundedMap<>(MAX_RUNS);
    private final InstantSource clock;

    ExecutorRefusals(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns the exception for a request about a run that failed, maybe not for the first time. */
    ExecutorUnavailableException unavailable(RunRef run, KubernetesClientException refused) {
        synchronized (sinceByUid) {
            Instant since = sinceByUid.computeIfAbsent(run.uid(), uid -> clock.instant());
            return new ExecutorUnavailableException(PreparationRefusals.message(refused), since, refused);
        }
    }

    /** Returns the exception for a run that could not be created. */
    ExecutorUnavailableException unavailable(KubernetesClientException refused) {
        return new ExecutorUnavailableException(PreparationRefusals.message(refused), clock.instant(), refused);
    }

    void forget(RunRef run) {
        synchronized (sinceByUid) {
            sinceByUid.remove(run.uid());
        }
    }
}
