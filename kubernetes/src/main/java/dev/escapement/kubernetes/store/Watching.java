package dev.escapement.kubernetes.store;

import dev.escapement.governor.failure.Refusal;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import java.util.concurrent.CompletionException;

/** When a watch that has trouble is begun anew. */
public final class Watching {

    private Watching() {}

    /**
     * The rule of the client, and one case more: an API server that is not ready yet, as it says for a moment after a
     * definition was applied, ends no watch that was just to begin.
     */
    public static boolean goesOn(boolean begun, Throwable failure) {
        return !ExceptionHandler.isDeserializationException(failure) && (begun || mayBeOverSoon(failure));
    }

    private static boolean mayBeOverSoon(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof KubernetesClientException refused && Refusal.isTransient(refused.getCode());
    }
}
