package dev.escapement.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import java.util.List;

/** One empty store, seen through its three ports. */
public record ContractPorts(ExecutionStore store, ExecutionQueries queries, Journal journal, StoreTraits traits) {

    /** In what stores may differ. */
    public interface StoreTraits {

        /** Whether several writes are all made or none. */
        boolean isTransactional();

        /** Whether it gives uids and times of creation itself, and refuses what its schema does not allow. */
        default boolean isApiServer() {
            return false;
        }

        /** Returns when what is created now is younger than what was created before. */
        default void awaitLaterCreation() {}

        /** Returns when everything that was written is in the journal. */
        default void awaitJournal() {}
    }

    /** A database. */
    public ContractPorts(ExecutionStore store, ExecutionQueries directory, Journal journal, boolean transactional) {
        this(store, directory, journal, () -> transactional);
    }

    /** Has an execution created; its uid and its time may be others than those that were asked for. */
    public Versioned<Execution> create(Execution asked) {
        assertThat(store.apply(List.of(new StoreWrite.Creation(asked)))).isTrue();
        Versioned<Execution> made = queries.findExecution(
                        asked.ref().namespace(), asked.ref().name())
                .orElseThrow();
        if (!traits.isApiServer()) {
            assertThat(made.value()).isEqualTo(asked);
        }
        return made;
    }
}
