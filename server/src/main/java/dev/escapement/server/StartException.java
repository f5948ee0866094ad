package dev.escapement.server;

/** Why the server could not start. The message says what, where and what to do. */
public final class StartException extends RuntimeException {

    /** What stands in the way, for whoever turns it into an exit code. */
    public enum Reason {
        /** The data folder cannot be made, read or written. */
        DATA_FOLDER,
        /** Another server uses the data folder. */
        DATA_FOLDER_IN_USE,
        /** The folder of the workflows is not there or cannot be read. */
        WORKFLOWS,
        /** The address cannot be listened on: the port is in use, or the host is none of this machine's. */
        ADDRESS,
        /** The database cannot be reached, is damaged, or belongs to something else. */
        DATABASE,
        /** The cluster cannot be reached, does not let us, or lacks the custom resources. */
        CLUSTER
    }

    private final Reason reason;

    public StartException(Reason obstacle, String message, Throwable cause) {
        super(message, cause);
        this.reason = obstacle;
    }

    public StartException(Reason obstacle, String message) {
        super(message);
        this.reason = obstacle;
    }

    /** What stands in the way. */
    public Reason reason() {
        return reason;
    }
}
