package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.Next;
import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.WorkflowRunner;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.NoRunner;
import dev.escapement.server.OneRun;
import dev.escapement.storage.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without its lease starts nothing, and nobody pays for it. */
class DriverTest {

    private static final Execution ASKED = Samples.execution(1);

    private final AtomicBoolean mayStart = new AtomicBoolean();
    private final Database database;

    DriverTest(@TempDir Path folder) {
        database = Database.sqlite(folder.resolve("driver.db"));
        assertThat(database.store().apply(List.of(new Write.Create(ASKED)))).isTrue();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Next look(WorkflowRunner runner) {
        Engine engine = new Engine(database.store(), runner, () -> Policy.DEFAULT);
        Driver driver = new Driver(
                database.store(), engine, () -> Samples.NOW, mayStart::get, seen -> {}, () -> {}, forgotten -> {});
        return driver.apply(Work.on(ASKED.ref()));
    }

    private Versioned<Execution> execution() {
        return Samples.read(database.store(), ASKED);
    }

    @Test
    void withoutTheLeaseItWaitsAndThatCostsNothing() {
        Versioned<Execution> before = execution();
        for (int i = 0; i < 20; i++) {
            // It fails if it is asked for anything.
            assertThat(look(new NoRunner())).isEqualTo(Next.AGAIN);
        }
        assertThat(execution()).isEqualTo(before);
        assertThat(database.store().entry(Samples.NODE))
                .isEqualTo(new Versioned<>(LedgerEntry.fresh(Samples.NODE), Versioned.ABSENT));
    }

    @Test
    void onceTheLeaseIsHeldItGoesOn() {
        assertThat(look(new NoRunner())).isEqualTo(Next.AGAIN);
        mayStart.set(true);
        WorkflowRunner runner = new OneRun();
        for (int i = 0; i < 10 && execution().value().status() instanceof Status.Pending; i++) {
            look(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(Status.Running.class);
    }

    @Test
    void withoutTheLeaseWhatIsCancelledDoesNotWait() {
        assertThat(database.store().apply(List.of(new Write.CancelOf(execution(), "ann", Samples.NOW))))
                .isTrue();
        look(new NoRunner());
        assertThat(execution().value().status()).isInstanceOf(Status.Final.class);
    }

    @Test
    void withoutTheLeaseWhatRunsIsLookedAfter() {
        mayStart.set(true);
        OneRun runner = new OneRun();
        look(runner);
        mayStart.set(false);
        runner.succeed();
        for (int i = 0; i < 10 && !(execution().value().status() instanceof Status.Final); i++) {
            look(runner);
        }
        assertThat(execution().value().status()).isInstanceOf(Status.Completed.class);
    }
}
