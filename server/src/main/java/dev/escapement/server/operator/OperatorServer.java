package dev.escapement.server.operator;

import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.RunInformers;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventPublishingStore;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.store.KubernetesExecutionQueries;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import dev.escapement.server.CloseStack;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.OperatorSettings;
import dev.escapement.server.config.PolicySource;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.endpoint.WorkflowRemediationRequester;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.events.StatusObservingStore;
import dev.escapement.server.events.TransitionLogger;
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.metrics.EndpointMetrics;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.standalone.StandaloneFactory;
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
public final class OperatorServer implements RunningService {

    private static final Duration EVENT_FLUSH_TIMEOUT = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(OperatorServer.class);

    private final CloseStack closeStack = new CloseStack();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final Settings settings;
    private final KubernetesClient client;
    private final ClusterOperator operator;
    private final RestServer http;

    /** The rules from the cluster. */
    private record ConfigMapPolicySource(PolicyConfigMap policyMap) implements PolicySource {
        @Override
        public Policy get() {
            return policyMap.get();
        }

        @Override
        public Map<String, Object> document() {
            return policyMap.document();
        }
    }

    /**
     * Starts an operator; when this returns it knows what there is on the cluster, and works or waits for its turn.
     *
     * @throws StartException if something stands in the way; then nothing is left open
     */
    public static OperatorServer start(Settings settings) {
        LoggingConfiguration.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        ineffectiveSettings(settings).forEach(LOG::warn);
        return new OperatorServer(settings, InstantSource.system());
    }

    /** What was set in vain, because it is said on the cluster or there is nothing like it there; a sentence each. */
    public static List<String> ineffectiveSettings(Settings settings) {
        return OperatorFactory.ineffectiveSettings(settings);
    }

    private OperatorServer(Settings settings, InstantSource clock) {
        this.settings = settings;
        try {
            // The way to the cluster, and what is known of it.
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(registry);
            client = closeStack.add(OperatorFactory.openClient(settings, metrics::countKubernetesRequest));
            boolean tekton = OperatorFactory.checkCluster(client, settings);
            String instance = OperatorFactory.createIdentity();
            EventJournal journal = closeStack.add(EventJournal.watch(client));
            EventPublisher poster = closeStack.add(new EventPublisher(client, journal, instance, clock));
            closeStack.onClose(() -> poster.flush(EVENT_FLUSH_TIMEOUT));
            PolicyConfigMap policy = closeStack.add(PolicyConfigMap.watch(
                    client, settings.get(OperatorSettings.NAMESPACE), clock, poster::publishPolicyRefused));
            RunInformers watches = closeStack.add(OperatorFactory.watchRuns(client, settings, tekton, clock));
            OperatorFactory.awaitSync(List.of(journal.informer(), policy.informer()));
            OperatorFactory.requireValidPolicy(policy);

            // What carries executions on.
            ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
            ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
            ExecutionQueries directory = new KubernetesExecutionQueries(client, executions, targets);
            JournalFeed feed = new JournalFeed(journal, journal.endPosition());
            ExecutionStore store = new StatusObservingStore(
                    new EventPublishingStore(
                            new KubernetesExecutionStore(client, executions, targets),
                            executions,
                            poster::publish,
                            poster::publishAndWait),
                    (before, after) -> publishProgress(feed, before, after));
            KubernetesRunnerService runs =
                    closeStack.add(watches.newRunnerService(settings.get(OperatorSettings.ENGINE)));
            Engine engine = new Engine(store, runs, policy);

            // What tells of it.
            LedgerMetrics ledger = new LedgerMetrics(registry, directory, clock, System::nanoTime);
            JournalMetrics counts = new JournalMetrics(registry);
            TransitionLogger log = new TransitionLogger();
            JournalFollower follower = closeStack.add(new JournalFollower(journal, feed.position(), entries -> {
                feed.append(entries);
                entries.forEach(entry -> {
                    counts.count(entry.transition());
                    log.log(entry.transition());
                });
            }));

            // Work begins, or waits for its turn.
            operator = closeStack.add(OperatorFactory.startOperator(
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
                    metrics.reconcileTimer()::record,
                    terminated::countDown));
            operator.addWatch("events", journal.informer());
            operator.addWatch("the ConfigMap", policy.informer());

            // Who may ask, and what they get.
            ExecutionService requests = new ExecutionService(store, directory, policy);
            Optional<EndpointScheduler> scheduling =
                    startScheduler(directory, requests, instance, registry, metrics, clock);
            ClusterHealth health = closeStack.add(new ClusterHealth(
                    new ClusterHealth.ProblemSources(
                            operator::findUnsyncedWatch,
                            operator::findDisconnectedWatch,
                            () -> OperatorFactory.missingResources(client)),
                    System::nanoTime));
            http = closeStack.add(StandaloneFactory.startRestServer(
                    settings,
                    settings.get(SettingsTable.PORT),
                    new RestServer.Dependencies(
                            store,
                            directory,
                            requests,
                            runs,
                            feed,
                            new ClusterWorkflowLookup(),
                            new ConfigMapPolicySource(policy),
                            health.createHealthChecks(operator, follower, scheduling),
                            () -> {
                                ledger.refresh();
                                return registry.scrape();
                            },
                            // The watch tells the one that works of what was asked for.
                            work -> {},
                            asked -> reload(directory, asked),
                            scheduling.map(parts -> endpointRouteContext(parts, directory)),
                            clock)));
            // Closed before the connections: who listens is told that it was all.
            closeStack.onClose(feed::close);
            metrics.registerPendingEvents(poster::queuedCount, poster::lostCount);
            metrics.registerEventClients(http::openStreams);
            metrics.registerLease(() -> operator.isLeading() ? 1 : 0);
        } catch (RuntimeException failure) {
            closeStack.close();
            throw failure;
        }
        LOG.info("listening on {}, cluster {}", address(), apiServerAddress());
    }

    private static void publishProgress(JournalFeed feed, Execution before, Execution after) {
        if (before.status() instanceof ExecutionStatus.Running && after.status() instanceof ExecutionStatus.Running) {
            feed.publishProgress(after);
        }
    }

    /** The API server gives uids and times. */
    private static Execution reload(ExecutionQueries directory, Execution asked) {
        return directory
                .findExecution(asked.ref().namespace(), asked.ref().name())
                .map(Versioned::value)
                .orElse(asked);
    }

    private Optional<EndpointScheduler> startScheduler(
            ExecutionQueries directory,
            ExecutionService requests,
            String instance,
            PrometheusMeterRegistry registry,
            ServerMetrics metrics,
            InstantSource clock) {
        if (settings.get(SettingsTable.DATABASE).isEmpty()) {
            return Optional.empty();
        }
        Database database = closeStack.add(StandaloneFactory.openPostgres(settings));
        metrics.registerStore(
                () -> database.counts().statements(), () -> database.counts().writeTransactions());
        PeriodicTasks sweeper = closeStack.add(new PeriodicTasks("sweeper"));
        return Optional.of(closeStack.add(EndpointScheduler.start(
                settings,
                database,
                instance,
                new WorkflowRemediationRequester(directory, requests, new ClusterWorkflowLookup(), work -> {}, clock),
                sweeper,
                new EndpointMetrics(registry),
                clock)));
    }

    private static EndpointRouteContext endpointRouteContext(EndpointScheduler scheduling, ExecutionQueries directory) {
        return scheduling.routeContext((namespace, name) -> directory
                .findExecution(namespace, name)
                .map(seen -> seen.value().status().phase()));
    }

    @Override
    public URI address() {
        return StandaloneFactory.addressOf(settings, http.port());
    }

    /** The address of the API server. */
    public String apiServerAddress() {
        return client.getMasterUrl().toString();
    }

    /** Whether this replica works. */
    public boolean isLeading() {
        return operator.isLeading();
    }

    @Override
    public void awaitTermination() throws InterruptedException {
        terminated.await();
    }

    @Override
    public void close() {
        closeStack.close();
        terminated.countDown();
    }
}
