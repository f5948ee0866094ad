package dev.escapement.engine.contract;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.readExecution;
import static dev.escapement.engine.contract.ExecutionSamples.runningStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link ExecutionQueries}: complete, sorted, filtered and paged lists. */
public abstract class ExecutionQueriesContract {

    /** Opens an empty store. */
    protected abstract ContractPorts open() throws Exception;

    private ContractPorts ports;
    private ExecutionStore store;
    private ExecutionQueries queries;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
        queries = ports.queries();
    }

    private Execution create(Execution execution) {
        return ports.create(execution).value();
    }

    private Execution createLater(Execution execution) {
        ports.traits().awaitLaterCreation();
        return create(execution);
    }

    private void put(LedgerEntry entry) {
        assertThat(store.apply(List.of(new StoreWrite.EntryUpdate(store.readEntry(entry.target()), entry, NOW))))
                .isTrue();
    }

    private List<String> listNames(ExecutionFilter filter) {
        return queries.listExecutions(filter, "", 100).items().stream()
                .map(seen -> seen.value().ref().toString())
                .toList();
    }

    private static ExecutionFilter filter(String namespace, String phase, String workflow, String target) {
        return new ExecutionFilter(optional(namespace), optional(phase), optional(workflow), optional(target));
    }

    private static Optional<String> optional(String text) {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    @Test
    void findsExecutionByName() {
        Execution requested = create(execution(1));
        assertThat(queries.findExecution("ops", "e1")).hasValue(readExecution(store, requested));
        assertThat(queries.findExecution("shop", "e1")).isEmpty();
        assertThat(queries.findExecution("ops", "e2")).isEmpty();
    }

    @Test
    void listsNewestFirst() {
        create(execution(2));
        createLater(execution(3));
        createLater(execution(1));
        // A store that assigns the creation times itself sorts by the order of the creations.
        assertThat(listNames(ExecutionFilter.ALL))
                .isEqualTo(
                        ports.traits().isApiServer()
                                ? List.of("ops/e1", "ops/e3", "ops/e2")
                                : List.of("ops/e3", "ops/e2", "ops/e1"));
    }

    @Test
    void appliesEveryFilter() {
        create(execution("ops", 1, "repair", "Node/a"));
        createLater(execution("shop", 2, "repair", "shop/pod/b"));
        Execution third = createLater(execution("shop", 3, "clean", "node/a"));
        store.apply(List.of(new StoreWrite.StatusUpdate(readExecution(store, third), runningStatus(third))));
        assertThat(listNames(filter("shop", "", "", ""))).containsExactly("shop/e3", "shop/e2");
        assertThat(listNames(filter("", "Running", "", ""))).containsExactly("shop/e3");
        assertThat(listNames(filter("", "", "repair", ""))).containsExactly("shop/e2", "ops/e1");
        assertThat(listNames(filter("", "", "", "node/a"))).containsExactly("shop/e3", "ops/e1");
        assertThat(listNames(filter("shop", "Pending", "repair", "shop/pod/b"))).containsExactly("shop/e2");
        assertThat(listNames(filter("none", "", "", ""))).isEmpty();
    }

    @Test
    void pagesThroughGrowingList() {
        for (int i = 1; i <= 7; i++) {
            createLater(execution(i));
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        int parts = 0;
        do {
            Page<Versioned<Execution>> page = queries.listExecutions(ExecutionFilter.ALL, token, 3);
            page.items().forEach(item -> seen.add(item.value().ref().name()));
            token = page.nextToken().orElse("");
            createLater(execution(100 + parts++));
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("e7", "e6", "e5", "e4", "e3", "e2", "e1");
        assertThat(parts).isEqualTo(3);
    }

    @Test
    void listsAllExecutionsOfOneInstant() {
        for (int i = 1; i <= 5; i++) {
            Execution one = execution(i);
            create(Execution.pending(one.ref(), NOW, one.spec()));
        }
        List<String> seen = new ArrayList<>();
        Page<Versioned<Execution>> page = queries.listExecutions(ExecutionFilter.ALL, "", 2);
        page.items().forEach(item -> seen.add(item.value().ref().name()));
        while (page.nextToken().isPresent()) {
            page = queries.listExecutions(ExecutionFilter.ALL, page.nextToken().get(), 2);
            page.items().forEach(item -> seen.add(item.value().ref().name()));
        }
        assertThat(seen).containsExactlyInAnyOrder("e1", "e2", "e3", "e4", "e5");
    }

    @Test
    void listsEntriesByTargetAndState() {
        put(heldEntry(execution("ops", 1, "repair", "node/b")));
        put(blockedEntry(execution("ops", 2, "repair", "node/c")));
        put(heldEntry(execution("ops", 3, "repair", "node/a")));
        assertThat(listTargets(EntryFilter.ALL)).containsExactly("node/a", "node/b", "node/c");
        assertThat(listTargets(EntryFilter.HELD)).containsExactly("node/a", "node/b");
        assertThat(listTargets(EntryFilter.FAILING)).containsExactly("node/c");
    }

    private List<String> listTargets(EntryFilter filter) {
        List<String> seen = new ArrayList<>();
        Page<Versioned<LedgerEntry>> page = queries.listEntries(filter, "", 2);
        page.items().forEach(item -> seen.add(item.value().target().canonical()));
        while (page.nextToken().isPresent()) {
            page = queries.listEntries(filter, page.nextToken().get(), 2);
            page.items().forEach(item -> seen.add(item.value().target().canonical()));
        }
        return seen;
    }

    @Test
    void findsEntryByObjectName() {
        put(heldEntry(execution("ops", 1, "repair", "node/worker-node-1")));
        assertThat(queries.findEntry("wfe-ac45b7d6911e97a5")).isPresent();
        assertThat(queries.findEntry(Target.parse("node/other").objectName())).isEmpty();
    }

    @Test
    void rejectsInvalidToken() {
        assertThatThrownBy(() -> queries.listExecutions(ExecutionFilter.ALL, "non sense", 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
