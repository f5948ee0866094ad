package dev.escapement.server;

import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.ReconcileTimer;
import dev.escapement.kubernetes.controller.RunInformers;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventPublishingStore;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.store.KubernetesExecutionQueries;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import dev.escapement.server.events.Feed;
import dev.escapement.server.http.EndpointParts;
import dev.escapement.server.http.HttpServer;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.JournalLog;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.Logging;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.settings.ClusterSettings;
import dev.escapement.server.settings.Rules;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.JournalFollower;
import dev.escapement.server.worker.Sweeper;
import dev.escapement.server.worker.WatchedStore;
import dev.escapement.storage.Database;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator at work, put together from top to bottom. What is opened later is closed earlier: first nobody can ask,
 * then what is being carried on is finished, then another replica may lead, then the watches end. Runs go on without
 * it.
 */
public final class Operating implements Serving {

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(Operating.class);

    private final Closing closing = new Closing();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Settings settings;
    private final KubernetesClient client;
    private final ClusterOperator operator;
    private final HttpServer http;

    /** The rules from the cluster. */
    private record ClusterRules(PolicyConfigMap map) implements Rules {
        @Override
        public Policy get() {
            return map.get();
        }

        @Override
        public Map<String, Object> document() {
            return map.document();
        }
    }

    /**
     * Starts an operator; when this returns it knows what there is on the cluster, and works or waits for its turn.
     *
     * @throws StartException if something stands in the way; then nothing is left open
     */
    public static Operating start(Settings settings) {
        Logging.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        withoutEffect(settings).forEach(LOG::warn);
        return new Operating(settings, InstantSource.system());
    }

    /** What was set in vain, because it is said on the cluster or there is nothing like it there; a sentence each. */
    public static List<String> withoutEffect(Settings settings) {
        return ClusterOpening.withoutEffect(settings);
    }

    private Operating(Settings settings, InstantSource clock) {
        this.settings = settings;
        try {
            // The way to the cluster, and what is known of it.
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(registry);
            client = closing.add(ClusterOpening.client(settings, metrics::call));
            boolean tekton = ClusterOpening.check(client, settings);
            String instance = ClusterOpening.identity();
            EventJournal journal = closing.add(EventJournal.watch(client));
            EventPublisher poster = closing.add(new EventPublisher(client, journal, instance, clock));
            closing.then(() -> poster.flush(LAST_WORDS));
            PolicyConfigMap policy = closing.add(PolicyConfigMap.watch(
                    client, settings.get(ClusterSettings.NAMESPACE), clock, poster::publishPolicyRefused));
            RunInformers watches = closing.add(ClusterOpening.watch(client, settings, tekton, clock));
            ClusterOpening.await(List.of(journal.informer(), policy.informer()));
            ClusterOpening.begin(policy);

            // What carries executions on.
            InformerStore<WorkflowExecution> executions = new InformerStore<>();
            InformerStore<RemediationTarget> targets = new InformerStore<>();
            ExecutionQueries directory = new KubernetesExecutionQueries(client, executions, targets);
            Feed feed = new Feed(journal, journal.endPosition());
            ExecutionStore store = new WatchedStore(
                    new EventPublishingStore(
                            new KubernetesExecutionStore(client, executions, targets),
                            executions,
                            poster::publish,
                            poster::publishAndWait),
                    (before, after) -> progressed(feed, before, after));
            KubernetesRunnerService runs = closing.add(watches.newRunnerService(settings.get(ClusterSettings.ENGINE)));
            Engine engine = new Engine(store, runs, policy);

            // What tells of it.
            LedgerMetrics ledger = new LedgerMetrics(registry, directory, clock, System::nanoTime);
            JournalMetrics counts = new JournalMetrics(registry);
            JournalLog log = new JournalLog();
            JournalFollower follower = closing.add(new JournalFollower(journal, feed.position(), entries -> {
                feed.append(entries);
                entries.forEach(entry -> {
                    counts.count(entry.transition());
                    log.say(entry.transition());
                });
            }));

            // Work begins, or waits for its turn.
            operator = closing.add(ClusterOpening.operator(
                    new ClusterOperator.Components(
                            client,
                            executions,
                            targets,
                            store,
                            engine,
                            runs,
                            watches.informers(),
                            policy,
                            new EventReplayer(executions, targets, poster::publish, clock),
                            poster,
                            clock),
                    settings,
                    instance,
                    new ReconcileTimer(metrics.advance()::record),
                    ended::countDown));
            operator.addWatch("events", journal.informer());
            operator.addWatch("the ConfigMap", policy.informer());

            // Who may ask, and what they get.
            ExecutionService requests = new ExecutionService(store, directory, policy);
            Optional<Scheduling> scheduling = scheduling(directory, requests, instance, registry, metrics, clock);
            ClusterHealth health = closing.add(new ClusterHealth(
                    new ClusterHealth.Views(
                            operator::findUnsyncedWatch,
                            operator::findDisconnectedWatch,
                            () -> ClusterOpening.missing(client)),
                    System::nanoTime));
            http = closing.add(Opening.http(
                    settings,
                    settings.get(SettingsTable.PORT),
                    new HttpServer.Parts(
                            store,
                            directory,
                            requests,
                            runs,
                            feed,
                            new ClusterWorkflows(),
                            new ClusterRules(policy),
                            health.health(operator, follower, scheduling),
                            () -> {
                                ledger.refresh();
                                return registry.scrape();
                            },
                            // The watch tells the one that works of what was asked for.
                            work -> {},
                            asked -> stored(directory, asked),
                            scheduling.map(parts -> endpoints(parts, directory)),
                            clock)));
            // Closed before the connections: who listens is told that it was all.
            closing.then(feed::close);
            metrics.untold(poster::queuedCount, poster::lostCount);
            metrics.listeners(http::streams);
            metrics.lease(() -> operator.isLeading() ? 1 : 0);
        } catch (RuntimeException failure) {
            closing.close();
            throw failure;
        }
        LOG.info("listening on {}, cluster {}", address(), cluster());
    }

    private static void progressed(Feed feed, Execution before, Execution after) {
        if (before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running) {
            feed.progressed(after);
        }
    }

    /** The API server gives uids and times. */
    private static Execution stored(ExecutionQueries directory, Execution asked) {
        return directory
                .findExecution(asked.ref().namespace(), asked.ref().name())
                .map(Versioned::value)
                .orElse(asked);
    }

    private Optional<Scheduling> scheduling(
            ExecutionQueries directory,
            ExecutionService requests,
            String instance,
            PrometheusMeterRegistry registry,
            ServerMetrics metrics,
            InstantSource clock) {
        if (settings.get(SettingsTable.DATABASE).isEmpty()) {
            return Optional.empty();
        }
        Database database = closing.add(Opening.postgres(settings));
        metrics.store(
                () -> database.counts().statements(), () -> database.counts().writeTransactions());
        Sweeper sweeper = closing.add(new Sweeper("sweeper"));
        return Optional.of(closing.add(Scheduling.start(
                settings,
                database,
                instance,
                new RemediationGate(directory, requests, new ClusterWorkflows(), work -> {}, clock),
                sweeper,
                new EndpointMetrics(registry),
                clock)));
    }

    private static EndpointParts endpoints(Scheduling scheduling, ExecutionQueries directory) {
        return scheduling.parts((namespace, name) -> directory
                .findExecution(namespace, name)
                .map(seen -> seen.value().status().phase()));
    }

    @Override
    public URI address() {
        return Opening.address(settings, http.port());
    }

    /** The address of the API server. */
    public String cluster() {
        return client.getMasterUrl().toString();
    }

    /** Whether this replica works. */
    public boolean isLeading() {
        return operator.isLeading();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        closing.close();
        ended.countDown();
    }
}
