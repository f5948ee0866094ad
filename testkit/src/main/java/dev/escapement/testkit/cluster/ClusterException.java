package dev.escapement.testkit.cluster;

/** A failure of a local cluster. The message names the program, its log file, and what to do. */
public final class ClusterException extends RuntimeException {

    ClusterException(String message) {
        super(message);
    }

    ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
