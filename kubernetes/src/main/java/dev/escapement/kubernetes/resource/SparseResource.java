package dev.escapement.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.client.CustomResource;

/** A custom resource whose spec and status are absent, not empty, until they are set. */
@JsonIgnoreProperties(ignoreUnknown = true)
public abstract class SparseResource<S, T> extends CustomResource<S, T> {

    @Override
    @SuppressWarnings("NullAway")
    protected S initSpec() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    protected T initStatus() {
        return null;
    }
}
