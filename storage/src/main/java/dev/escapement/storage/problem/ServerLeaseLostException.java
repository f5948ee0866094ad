package dev.escapement.storage.problem;

/**
 * Another server took over the work of this one, because its lease had lapsed, or was started under the same id.
 * Nothing was changed. What this server still runs is no longer its own: it must stop, and may join under a new id.
 */
public final class ServerLeaseLostException extends StorageException {

    /** Names the server. */
    public ServerLeaseLostException(String message) {
        super(message);
    }
}
