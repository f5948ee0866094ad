package dev.escapement.testkit.cluster;

/** Why a cluster could not do what it was asked to. The message names the part, its log file, and what to do. */
public final class ClusterException extends RuntimeException {

    ClusterException(String message) {
        super(message);
    }

    ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
