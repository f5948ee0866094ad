package dev.escapement.storage;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.storage.ServerRegistry.ServerIdentity;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes rows of the table {@code executions}. */
final class ExecutionRows {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionRows.class);

    /** The columns that {@link #read} and {@link #tryRead} read. */
    static final String COLUMNS = "executions.version, executions.document, executions.uid";

    /**
     * True if the writing server has not been taken over from, or writes without being registered. False in a database
     * that was restored from a backup, until the server registers again.
     */
    private static final String WRITER_IS_REGISTERED =
            "(? = '' OR EXISTS (" + ServerRegistry.FIND_REGISTERED_SQL + "))";

    private final String insertSql;
    private final String updateStatusSql;
    private final String updateDocumentSql;

    ExecutionRows(Dialect dialect) {
        this.insertSql = "INSERT INTO executions"
                + " (uid, namespace, name, created_at, phase, is_final, workflow, target, owner, document, version)"
                + " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + dialect.newVersion() + " WHERE " + WRITER_IS_REGISTERED
                + " ON CONFLICT DO NOTHING";
        this.updateStatusSql = "UPDATE executions SET phase = ?, is_final = ?, document = ?, version = "
                + dialect.nextVersion() + " WHERE uid = ? AND version = ? AND owner = ? AND " + WRITER_IS_REGISTERED;
        this.updateDocumentSql = "UPDATE executions SET document = ?, version = " + dialect.nextVersion()
                + " WHERE uid = ? AND version = ?";
    }

    /** Inserts an execution that the given server owns. */
    RowUpdate insert(Execution execution, ServerIdentity server) {
        return RowUpdate.expectingOneRow(
                "the new execution " + execution.ref(),
                insertSql,
                execution.ref().uid(),
                SearchKey.of(execution.ref().namespace()),
                SearchKey.of(execution.ref().name()),
                EpochMicros.of(execution.createdAt()),
                execution.status().phase(),
                execution.status() instanceof ExecutionStatus.Final,
                SearchKey.of(execution.workflowId()),
                SearchKey.of(execution.spec().canonicalTarget()),
                server.id(),
                serialize(execution),
                server.id(),
                server.id(),
                server.incarnation(),
                server.renewals());
    }

    /** Updates the status. Changes nothing if the given server does not own the execution. */
    RowUpdate updateStatus(Versioned<Execution> seen, ExecutionStatus next, ServerIdentity server) {
        ExecutionRef ref = seen.value().ref();
        return RowUpdate.expectingOneRow(
                "the status %s of execution %s".formatted(next.phase(), ref),
                updateStatusSql,
                next.phase(),
                next instanceof ExecutionStatus.Final,
                serialize(seen.value().withStatus(next)),
                ref.uid(),
                RowUpdate.rowVersion(seen),
                server.id(),
                server.id(),
                server.id(),
                server.incarnation(),
                server.renewals());
    }

    /** Updates an execution without its status, whichever server owns it. */
    RowUpdate updateDocument(String change, Versioned<Execution> seen, Execution next) {
        ExecutionRef ref = next.ref();
        String subject = "the %s of execution %s".formatted(change, ref);
        return RowUpdate.expectingOneRow(
                subject, updateDocumentSql, serialize(next), ref.uid(), RowUpdate.rowVersion(seen));
    }

    RowUpdate delete(Versioned<Execution> seen) {
        ExecutionRef ref = seen.value().ref();
        String sql = "DELETE FROM executions WHERE uid = ? AND version = ?";
        return RowUpdate.expectingOneRow(
                "the deletion of execution " + ref, sql, ref.uid(), RowUpdate.rowVersion(seen));
    }

    static Versioned<Execution> read(ResultSet columns) throws SQLException {
        WorkflowExecution document = Json.read(columns.getString(2), WorkflowExecution.class);
        return new Versioned<>(ExecutionMapper.fromDocument(document), columns.getString(1));
    }

    /** Returns empty for a row that cannot be read, so that it does not hide others; the log names it. */
    static Optional<Versioned<Execution>> tryRead(ResultSet columns) throws SQLException {
        String uid = columns.getString(3);
        try {
            return Optional.of(read(columns));
        } catch (RuntimeException unreadable) {
            LOG.warn("Execution with uid {} cannot be read and is left out: {}", uid, unreadable.toString());
            return Optional.empty();
        }
    }

    /** Serialises without the version, which is not known before the row is written. */
    private static String serialize(Execution execution) {
        return Json.write(ExecutionMapper.toDocument(execution, ""));
    }
}
