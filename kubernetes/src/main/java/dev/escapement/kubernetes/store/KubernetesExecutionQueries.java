package dev.escapement.kubernetes.store;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.PageToken;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists from the caches, without a request; reads a single object from the API server, so that it is current. A
 * continuation token is the encoded sort key of the last item of a page, so items that come and go do not shift the
 * next page.
 */
public record KubernetesExecutionQueries(
        ResourceWriter<WorkflowExecutionResource> executions, ResourceWriter<RemediationTargetResource> targets)
        implements ExecutionQueries {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesExecutionQueries.class);

    /** Newest first. Creation times have whole seconds, so those of one second are sorted by name. */
    private record ExecutionKey(Instant createdAt, String ref) implements Comparable<ExecutionKey> {

        @Override
        public int compareTo(ExecutionKey other) {
            int newestFirst = other.createdAt.compareTo(createdAt);
            return newestFirst == 0 ? ref.compareTo(other.ref) : newestFirst;
        }

        static ExecutionKey of(Versioned<Execution> seen) {
            return new ExecutionKey(seen.value().createdAt(), seen.value().ref().toString());
        }

        static ExecutionKey parse(String token) {
            List<String> parts = PageToken.decode(token, 2);
            try {
                return new ExecutionKey(Instant.parse(parts.get(0)), parts.get(1));
            } catch (DateTimeException malformed) {
                throw PageToken.invalid(malformed);
            }
        }

        String toToken() {
            return PageToken.encode(createdAt.toString(), ref);
        }
    }

    @Override
    public Optional<Versioned<Execution>> findExecution(String namespace, String name) {
        return executions.fetch(namespace, name).map(WorkflowExecutionResource::read);
    }

    @Override
    public Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit) {
        return firstPage(
                validItems(executions.cache().all(), WorkflowExecutionResource::read)
                        .filter(seen -> matches(filter, seen.value())),
                ExecutionKey::of,
                ExecutionKey::toToken,
                token.isEmpty() ? Optional.empty() : Optional.of(ExecutionKey.parse(token)),
                limit);
    }

    private static boolean matches(ExecutionFilter filter, Execution execution) {
        return matchesValue(filter.namespace(), execution.ref().namespace())
                && matchesValue(filter.phase(), execution.status().phase())
                && matchesValue(filter.workflow(), execution.workflowId())
                && matchesValue(filter.target(), execution.spec().canonicalTarget());
    }

    private static boolean matchesValue(Optional<String> wanted, String value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    @Override
    public Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit) {
        return firstPage(
                validItems(targets.cache().all(), RemediationTargetResource::read)
                        .filter(seen -> matches(filter, seen.value())),
                seen -> seen.value().target().canonical(),
                name -> PageToken.encode(name),
                token.isEmpty()
                        ? Optional.empty()
                        : Optional.of(PageToken.decode(token, 1).get(0)),
                limit);
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
        return targets.fetch("", objectName).map(RemediationTargetResource::read);
    }

    /** Leaves out invalid objects: one of them must not hide all others. */
    private static <R, T> Stream<T> validItems(Stream<R> resources, Function<R, T> read) {
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

    /** Returns the first items after the last one of the previous page. */
    private static <T, K extends Comparable<K>> Page<T> firstPage(
            Stream<T> items, Function<T, K> keyOf, Function<K, String> toToken, Optional<K> last, int limit) {
        List<T> found = items.filter(item -> last.isEmpty() || keyOf.apply(item).compareTo(last.get()) > 0)
                .sorted(Comparator.comparing(keyOf))
                .limit(limit + 1L)
                .toList();
        return PageToken.toPage(found, limit, keyOf.andThen(toToken));
    }
}
