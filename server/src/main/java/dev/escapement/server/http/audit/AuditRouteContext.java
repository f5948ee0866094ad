package dev.escapement.server.http.audit;

import dev.escapement.notifications.audit.AuditTrail;
import dev.escapement.notifications.audit.CheckpointStore;
import dev.escapement.notifications.audit.TrailVerifier;
import dev.escapement.notifications.audit.sink.SinkStore;
import dev.escapement.storage.Database;

/**
 * What the routes of the audit trail read.
 *
 * @param replayListener called after refused records were requested again; must not block
 */
public record AuditRouteContext(
        AuditTrail trail,
        CheckpointStore checkpoints,
        TrailVerifier verifier,
        SinkStore sink,
        Runnable replayListener) {

    public static AuditRouteContext of(Database database) {
        AuditTrail trail = new AuditTrail(database.backend());
        CheckpointStore checkpoints = new CheckpointStore(database.backend());
        return new AuditRouteContext(
                trail, checkpoints, new TrailVerifier(trail, checkpoints), new SinkStore(database.backend()), () -> {});
    }

    /** Returns the same with another listener. */
    public AuditRouteContext onReplay(Runnable listener) {
        return new AuditRouteContext(trail, checkpoints, verifier, sink, listener);
    }
}
