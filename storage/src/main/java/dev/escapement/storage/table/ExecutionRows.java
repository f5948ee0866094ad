package dev.escapement.storage.table;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.DocumentJson;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The table of executions. */
public final class ExecutionRows {

    /** The columns that {@link #read} reads. */
    public static final String COLUMNS = "executions.version, executions.document";

    /** Nobody has taken over from the server that writes; one that never joined is nobody's. */
    private static final String WRITER_IS_REGISTERED =
            "(? = '' OR EXISTS (SELECT 1 FROM servers WHERE id = ? AND incarnation = ? AND NOT gone))";

    private final String insertSql;
    private final String advanceSql;
    private final String annotateSql;

    public ExecutionRows(Dialect dialect) {
        this.insertSql = "INSERT INTO executions"
                + " (uid, namespace, name, created_at, phase, is_final, workflow, target, owner, document, version)"
                + " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + dialect.newVersion() + " WHERE " + WRITER_IS_REGISTERED
                + " ON CONFLICT DO NOTHING";
        this.advanceSql = "UPDATE executions SET phase = ?, is_final = ?, document = ?, version = "
                + dialect.nextVersion() + " WHERE uid = ? AND version = ? AND owner = ? AND " + WRITER_IS_REGISTERED;
        this.annotateSql = "UPDATE executions SET document = ?, version = " + dialect.nextVersion()
                + " WHERE uid = ? AND version = ?";
    }

    /** A new one, which the server that accepts it carries on. */
    public RowUpdate insert(Execution execution, ServerIdentity member) {
        return RowUpdate.expectingOneRow(
                insertSql,
                execution.ref().uid(),
                SearchKey.of(execution.ref().namespace()),
                SearchKey.of(execution.ref().name()),
                EpochMicros.of(execution.createdAt()),
                execution.status().phase(),
                execution.status() instanceof ExecutionStatus.Final,
                SearchKey.of(execution.workflowId()),
                SearchKey.of(targetKey(execution)),
                member.id(),
                serialize(execution),
                member.id(),
                member.id(),
                member.incarnation());
    }

    /** What became of it, by the server that carries it on and by no other. */
    public RowUpdate updateStatus(Versioned<Execution> seen, ExecutionStatus next, ServerIdentity member) {
        return RowUpdate.expectingOneRow(
                advanceSql,
                next.phase(),
                next instanceof ExecutionStatus.Final,
                serialize(seen.value().withStatus(next)),
                seen.value().ref().uid(),
                RowVersion.parse(seen),
                member.id(),
                member.id(),
                member.id(),
                member.incarnation());
    }

    /** What people want of it, through any server. */
    public RowUpdate updateDocument(Versioned<Execution> seen, Execution next) {
        return RowUpdate.expectingOneRow(
                annotateSql, serialize(next), seen.value().ref().uid(), RowVersion.parse(seen));
    }

    public RowUpdate delete(Versioned<Execution> seen) {
        return RowUpdate.expectingOneRow(
                "DELETE FROM executions WHERE uid = ? AND version = ?",
                seen.value().ref().uid(),
                RowVersion.parse(seen));
    }

    public static Versioned<Execution> read(ResultSet columns) throws SQLException {
        return new Versioned<>(ExecutionDocument.read(DocumentJson.read(columns.getString(2))), columns.getString(1));
    }

    private static String targetKey(Execution execution) {
        String written = execution.spec().targetResource();
        return Target.tryParse(written).map(Target::canonical).orElse(written);
    }

    /** Without the version: it is the row's, and is not known before the row is written. */
    private static String serialize(Execution execution) {
        return DocumentJson.write(ExecutionDocument.write(execution, ""));
    }
}
