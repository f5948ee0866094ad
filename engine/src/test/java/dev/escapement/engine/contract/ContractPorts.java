package dev.escapement.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import java.util.List;

/** The three ports of an empty store. */
public record ContractPorts(ExecutionStore store, ExecutionQueries queries, Journal journal, StoreTraits traits) {

    /** The differences between stores. */
    public interface StoreTraits {

        /** Whether several writes are applied all or none. */
        boolean isTransactional();

        /** Whether it assigns uids and creation times itself, and validates against a schema. */
        default boolean isApiServer() {
            return false;
        }

        /** Waits until a new object gets a later creation time than the objects before. */
        default void awaitLaterCreation() {}

        /** Waits until all writes are in the journal. */
        default void awaitJournal() {}
    }

    public ContractPorts(ExecutionStore store, ExecutionQueries queries, Journal journal, boolean transactional) {
        this(store, queries, journal, () -> transactional);
    }

    /** Creates an execution; an API server assigns another uid and creation time. */
    public Versioned<Execution> create(Execution requested) {
        assertThat(store.apply(List.of(new StoreWrite.Creation(requested)))).isTrue();
        Versioned<Execution> created = queries.findExecution(
                        requested.ref().namespace(), requested.ref().name())
                .orElseThrow();
        if (!traits.isApiServer()) {
            assertThat(created.value()).isEqualTo(requested);
        }
        return created;
    }
}
