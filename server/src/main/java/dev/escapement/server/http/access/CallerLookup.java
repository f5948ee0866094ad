package dev.escapement.server.http.access;

import java.util.Optional;

/** Authenticates a request again while its response is a stream, because its token may end meanwhile. Thread-safe. */
public interface CallerLookup {

    /** Attribute of the request that has its lookup. */
    String ATTRIBUTE = CallerLookup.class.getName();

    /** Returns the caller with its present rights; empty if its token or its session has ended. */
    Optional<Caller> find();
}
