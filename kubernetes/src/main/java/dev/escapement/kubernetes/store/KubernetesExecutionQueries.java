package dev.escapement.kubernetes.store;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists from the caches, without a request; reads a single object from the API server, so that it is current. */
public final class KubernetesExecutionQueries implements ExecutionQueries {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesExecutionQueries.class);

    /** Newest first. Creation times have whole seconds, so those of one second are sorted by name. */
    private record SortKey(Instant createdAt, String ref) implements Comparable<SortKey> {

        private static final Comparator<SortKey> ORDER =
                Comparator.comparing(SortKey::createdAt).reversed().thenComparing(SortKey::ref);

        static SortKey of(Versioned<Execution> seen) {
            return new SortKey(seen.value().createdAt(), seen.value().ref().toString());
        }

        static SortKey parse(String text) {
            String[] parts = text.split(" ", 2);
            try {
                return new SortKey(Instant.parse(parts[0]), parts[parts.length - 1]);
            } catch (DateTimeParseException invalid) {
                throw ContinuationTokens.invalidToken(invalid);
            }
        }

        @Override
        public int compareTo(SortKey other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return createdAt + " " + ref;
        }
    }

    private final KubernetesClient client;
    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ResourceCache<RemediationTargetResource> targets;

    public KubernetesExecutionQueries(
            KubernetesClient client,
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets) {
        this.client = client;
        this.executions = executions;
        this.targets = targets;
    }

    @Override
    public Optional<Versioned<Execution>> findExecution(String namespace, String name) {
        return Optional.ofNullable(client.resources(WorkflowExecutionResource.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(ExecutionCodec::read);
    }

    @Override
    public Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit) {
        Optional<SortKey> last = ContinuationTokens.decode(token).map(SortKey::parse);
        Stream<Versioned<Execution>> found = decodeReadable(executions.all(), ExecutionCodec::read)
                .filter(seen -> matches(filter, seen.value()))
                .filter(seen -> last.isEmpty() || SortKey.of(seen).compareTo(last.get()) > 0)
                .sorted(Comparator.comparing(SortKey::of));
        return ContinuationTokens.firstPage(found, seen -> SortKey.of(seen).toString(), limit);
    }

    private static boolean matches(ExecutionFilter filter, Execution execution) {
        return matchesValue(filter.namespace(), execution.ref().namespace())
                && matchesValue(filter.phase(), execution.status().phase())
                && matchesValue(filter.workflow(), execution.workflowId())
                && matchesValue(
                        filter.target(),
                        Target.tryParse(execution.spec().targetResource())
                                .map(Target::canonical)
                                .orElse(execution.spec().targetResource()));
    }

    private static boolean matchesValue(Optional<String> wanted, String value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    @Override
    public Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit) {
        String last = ContinuationTokens.decode(token).orElse("");
        Stream<Versioned<LedgerEntry>> found = decodeReadable(targets.all(), LedgerEntryCodec::read)
                .filter(seen -> matches(filter, seen.value()))
                .filter(seen -> canonicalTarget(seen).compareTo(last) > 0)
                .sorted(Comparator.comparing(KubernetesExecutionQueries::canonicalTarget));
        return ContinuationTokens.firstPage(found, KubernetesExecutionQueries::canonicalTarget, limit);
    }

    private static String canonicalTarget(Versioned<LedgerEntry> seen) {
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
        return Optional.ofNullable(client.resources(RemediationTargetResource.class)
                        .withName(objectName)
                        .get())
                .map(LedgerEntryCodec::read);
    }

    /** Leaves out invalid objects: one of them must not hide all others. */
    private static <R, T> Stream<T> decodeReadable(Stream<R> resources, Function<R, T> read) {
        return resources.flatMap(resource -> {
            try {
                return Stream.of(read.apply(resource));
            } catch (IllegalArgumentException invalid) {
                // The reconciler has logged it; here it would be logged with every list.
                LOG.debug("Invalid object left out of a list: {}", invalid.getMessage());
                return Stream.empty();
            }
        });
    }
}
