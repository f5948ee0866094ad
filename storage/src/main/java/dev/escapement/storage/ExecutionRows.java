package dev.escapement.storage;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.storage.jdbc.Dialect;
import dev.escapement.storage.jdbc.Json;
import dev.escapement.storage.jdbc.Micros;
import dev.escapement.storage.jdbc.SearchKey;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The table of executions. */
final class ExecutionRows {

    /** The columns that {@link #read} reads. */
    static final String COLUMNS = "executions.version, executions.document";

    /** Nobody has taken over from the server that writes; one that never joined is nobody's. */
    private static final String IN_OFFICE =
            "(? = '' OR EXISTS (SELECT 1 FROM servers WHERE id = ? AND incarnation = ? AND NOT gone))";

    private final String insert;
    private final String advance;
    private final String annotate;

    ExecutionRows(Dialect dialect) {
        this.insert = "INSERT INTO executions"
                + " (uid, namespace, name, created_at, phase, is_final, workflow, target, owner, document, version)"
                + " SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + dialect.newVersion() + " WHERE " + IN_OFFICE
                + " ON CONFLICT DO NOTHING";
        this.advance = "UPDATE executions SET phase = ?, is_final = ?, document = ?, version = " + dialect.nextVersion()
                + " WHERE uid = ? AND version = ? AND owner = ? AND " + IN_OFFICE;
        this.annotate = "UPDATE executions SET document = ?, version = " + dialect.nextVersion()
                + " WHERE uid = ? AND version = ?";
    }

    /** A new one, which the server that accepts it carries on. */
    Change create(Execution execution, Member member) {
        return Change.one(
                insert,
                execution.ref().uid(),
                SearchKey.of(execution.ref().namespace()),
                SearchKey.of(execution.ref().name()),
                Micros.of(execution.createdAt()),
                execution.status().phase(),
                execution.status() instanceof ExecutionStatus.Final,
                SearchKey.of(execution.workflowId()),
                SearchKey.of(target(execution)),
                member.id(),
                document(execution),
                member.id(),
                member.id(),
                member.incarnation());
    }

    /** What became of it, by the server that carries it on and by no other. */
    Change advance(Versioned<Execution> seen, ExecutionStatus next, Member member) {
        return Change.one(
                advance,
                next.phase(),
                next instanceof ExecutionStatus.Final,
                document(seen.value().withStatus(next)),
                seen.value().ref().uid(),
                Versions.number(seen),
                member.id(),
                member.id(),
                member.id(),
                member.incarnation());
    }

    /** What people want of it, through any server. */
    Change annotate(Versioned<Execution> seen, Execution next) {
        return Change.one(annotate, document(next), seen.value().ref().uid(), Versions.number(seen));
    }

    Change delete(Versioned<Execution> seen) {
        return Change.one(
                "DELETE FROM executions WHERE uid = ? AND version = ?",
                seen.value().ref().uid(),
                Versions.number(seen));
    }

    static Versioned<Execution> read(ResultSet columns) throws SQLException {
        return new Versioned<>(ExecutionDocument.read(Json.read(columns.getString(2))), columns.getString(1));
    }

    private static String target(Execution execution) {
        String written = execution.spec().targetResource();
        return Target.tryParse(written).map(Target::canonical).orElse(written);
    }

    /** Without the version: it is the row's, and is not known before the row is written. */
    private static String document(Execution execution) {
        return Json.write(ExecutionDocument.write(execution, ""));
    }
}
