package dev.escapement.kubernetes.store;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists from what the watches have told, so that nobody who looks at a page costs the API server anything; a single
 * object is asked for, because whoever asks for it wants to know how it is now.
 */
public final class KubernetesDirectory implements ExecutionQueries {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesDirectory.class);

    /** The newest first; those of one second, and the API server counts in seconds, by name. */
    private record Place(Instant createdAt, String ref) implements Comparable<Place> {

        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::createdAt).reversed().thenComparing(Place::ref);

        static Place of(Versioned<Execution> seen) {
            return new Place(seen.value().createdAt(), seen.value().ref().toString());
        }

        static Place parse(String text) {
            String[] parts = text.split(" ", 2);
            try {
                return new Place(Instant.parse(parts[0]), parts[parts.length - 1]);
            } catch (DateTimeParseException refused) {
                throw Parts.none(refused);
            }
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return createdAt + " " + ref;
        }
    }

    private final KubernetesClient client;
    private final View<WorkflowExecution> executions;
    private final View<RemediationTarget> targets;

    /** A directory. */
    public KubernetesDirectory(
            KubernetesClient client, View<WorkflowExecution> executions, View<RemediationTarget> targets) {
        this.client = client;
        this.executions = executions;
        this.targets = targets;
    }

    @Override
    public Optional<Versioned<Execution>> findExecution(String namespace, String name) {
        return Optional.ofNullable(client.resources(WorkflowExecution.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(ExecutionCodec::read);
    }

    @Override
    public Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit) {
        Optional<Place> last = Parts.name(token).map(Place::parse);
        Stream<Versioned<Execution>> found = readable(executions.all(), ExecutionCodec::read)
                .filter(seen -> matches(filter, seen.value()))
                .filter(seen -> last.isEmpty() || Place.of(seen).compareTo(last.get()) > 0)
                .sorted(Comparator.comparing(Place::of));
        return Parts.first(found, seen -> Place.of(seen).toString(), limit);
    }

    private static boolean matches(ExecutionFilter filter, Execution execution) {
        return is(filter.namespace(), execution.ref().namespace())
                && is(filter.phase(), execution.status().phase())
                && is(filter.workflow(), execution.workflowId())
                && is(
                        filter.target(),
                        Target.tryParse(execution.spec().targetResource())
                                .map(Target::canonical)
                                .orElse(execution.spec().targetResource()));
    }

    private static boolean is(Optional<String> wanted, String value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    @Override
    public Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit) {
        String last = Parts.name(token).orElse("");
        Stream<Versioned<LedgerEntry>> found = readable(targets.all(), EntryCodec::read)
                .filter(seen -> matches(filter, seen.value()))
                .filter(seen -> target(seen).compareTo(last) > 0)
                .sorted(Comparator.comparing(KubernetesDirectory::target));
        return Parts.first(found, KubernetesDirectory::target, limit);
    }

    private static String target(Versioned<LedgerEntry> seen) {
        return seen.value().target().canonical();
    }

    private static boolean matches(EntryFilter filter, LedgerEntry entry) {
        return switch (filter) {
            case ALL -> true;
            case HELD -> entry instanceof Held;
            case FAILING -> entry.memory().hasFailures();
        };
    }

    @Override
    public Optional<Versioned<LedgerEntry>> findEntry(String objectName) {
        return Optional.ofNullable(client.resources(RemediationTarget.class)
                        .withName(objectName)
                        .get())
                .map(EntryCodec::read);
    }

    /** One object that nobody can read must not hide all others. */
    private static <R, T> Stream<T> readable(Stream<R> resources, Function<R, T> read) {
        return resources.flatMap(resource -> {
            try {
                return Stream.of(read.apply(resource));
            } catch (IllegalArgumentException unreadable) {
                // Whoever carries it on has said so; here it would be said at every look at a page.
                LOG.debug("left out of a list: {}", unreadable.getMessage());
                return Stream.empty();
            }
        });
    }
}
