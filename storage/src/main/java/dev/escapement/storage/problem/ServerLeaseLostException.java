package dev.escapement.storage.problem;

/**
 * The lease of this server is lost: it expired and another server took over, or a server was started with the same id.
 * Nothing was changed. This server no longer owns its runs; it must stop them and may register with a new id.
 */
public final class ServerLeaseLostException extends StorageException {

    public ServerLeaseLostException(String message) {
        super(message);
    }
}
