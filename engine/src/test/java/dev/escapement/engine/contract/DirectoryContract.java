package dev.escapement.engine.contract;

import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.blocked;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static dev.escapement.engine.contract.Samples.read;
import static dev.escapement.engine.contract.Samples.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Directory;
import dev.escapement.engine.port.Directory.EntryFilter;
import dev.escapement.engine.port.Directory.ExecutionFilter;
import dev.escapement.engine.port.Directory.Page;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists are complete, in order, filtered and in parts. */
public abstract class DirectoryContract {

    /** An empty store. */
    protected abstract Ports open() throws Exception;

    private Ports ports;
    private Store store;
    private Directory directory;

    @BeforeEach
    void openPorts() throws Exception {
        ports = open();
        store = ports.store();
        directory = ports.directory();
    }

    private Execution create(Execution execution) {
        return ports.create(execution).value();
    }

    private Execution createLater(Execution execution) {
        ports.nature().awaitLaterCreation();
        return create(execution);
    }

    private void put(LedgerEntry entry) {
        assertThat(store.apply(List.of(new Write.Entry(store.entry(entry.target()), entry, NOW))))
                .isTrue();
    }

    private List<String> names(ExecutionFilter filter) {
        return directory.executions(filter, "", 100).items().stream()
                .map(seen -> seen.value().ref().toString())
                .toList();
    }

    private static ExecutionFilter by(String namespace, String phase, String workflow, String target) {
        return new ExecutionFilter(given(namespace), given(phase), given(workflow), given(target));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    @Test
    void anExecutionIsFoundByItsName() {
        Execution asked = create(execution(1));
        assertThat(directory.named("ops", "e1")).hasValue(read(store, asked));
        assertThat(directory.named("shop", "e1")).isEmpty();
        assertThat(directory.named("ops", "e2")).isEmpty();
    }

    @Test
    void theNewestComeFirst() {
        create(execution(2));
        createLater(execution(3));
        createLater(execution(1));
        // One that gives the times itself knows no other order than that of the creations.
        assertThat(names(ExecutionFilter.ALL))
                .isEqualTo(
                        ports.nature().isApiServer()
                                ? List.of("ops/e1", "ops/e3", "ops/e2")
                                : List.of("ops/e3", "ops/e2", "ops/e1"));
    }

    @Test
    void everyFilterFilters() {
        create(execution("ops", 1, "repair", "Node/a"));
        createLater(execution("shop", 2, "repair", "shop/pod/b"));
        Execution third = createLater(execution("shop", 3, "clean", "node/a"));
        store.apply(List.of(new Write.StatusOf(read(store, third), running(third))));
        assertThat(names(by("shop", "", "", ""))).containsExactly("shop/e3", "shop/e2");
        assertThat(names(by("", "Running", "", ""))).containsExactly("shop/e3");
        assertThat(names(by("", "", "repair", ""))).containsExactly("shop/e2", "ops/e1");
        assertThat(names(by("", "", "", "node/a"))).containsExactly("shop/e3", "ops/e1");
        assertThat(names(by("shop", "Pending", "repair", "shop/pod/b"))).containsExactly("shop/e2");
        assertThat(names(by("none", "", "", ""))).isEmpty();
    }

    @Test
    void aListComesInPartsAlsoWhileItGrows() {
        for (int i = 1; i <= 7; i++) {
            createLater(execution(i));
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        int parts = 0;
        do {
            Page<Versioned<Execution>> page = directory.executions(ExecutionFilter.ALL, token, 3);
            page.items().forEach(item -> seen.add(item.value().ref().name()));
            token = page.next().orElse("");
            createLater(execution(100 + parts++));
        } while (!token.isEmpty());
        assertThat(seen).containsExactly("e7", "e6", "e5", "e4", "e3", "e2", "e1");
        assertThat(parts).isEqualTo(3);
    }

    @Test
    void executionsOfOneInstantAreAllListed() {
        for (int i = 1; i <= 5; i++) {
            Execution one = execution(i);
            create(Execution.pending(one.ref(), NOW, one.spec()));
        }
        List<String> seen = new ArrayList<>();
        Page<Versioned<Execution>> page = directory.executions(ExecutionFilter.ALL, "", 2);
        page.items().forEach(item -> seen.add(item.value().ref().name()));
        while (page.next().isPresent()) {
            page = directory.executions(ExecutionFilter.ALL, page.next().get(), 2);
            page.items().forEach(item -> seen.add(item.value().ref().name()));
        }
        assertThat(seen).containsExactlyInAnyOrder("e1", "e2", "e3", "e4", "e5");
    }

    @Test
    void entriesAreListedByTargetAndState() {
        put(held(execution("ops", 1, "repair", "node/b")));
        put(blocked(execution("ops", 2, "repair", "node/c")));
        put(held(execution("ops", 3, "repair", "node/a")));
        assertThat(targets(EntryFilter.ALL)).containsExactly("node/a", "node/b", "node/c");
        assertThat(targets(EntryFilter.HELD)).containsExactly("node/a", "node/b");
        assertThat(targets(EntryFilter.FAILING)).containsExactly("node/c");
    }

    private List<String> targets(EntryFilter filter) {
        List<String> seen = new ArrayList<>();
        Page<Versioned<LedgerEntry>> page = directory.entries(filter, "", 2);
        page.items().forEach(item -> seen.add(item.value().target().canonical()));
        while (page.next().isPresent()) {
            page = directory.entries(filter, page.next().get(), 2);
            page.items().forEach(item -> seen.add(item.value().target().canonical()));
        }
        return seen;
    }

    @Test
    void anEntryIsFoundByItsObjectName() {
        put(held(execution("ops", 1, "repair", "node/worker-node-1")));
        assertThat(directory.entryNamed("wfe-ac45b7d6911e97a5")).isPresent();
        assertThat(directory.entryNamed(Target.parse("node/other").objectName()))
                .isEmpty();
    }

    @Test
    void whatIsNoTokenIsRefused() {
        assertThatThrownBy(() -> directory.executions(ExecutionFilter.ALL, "non sense", 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
