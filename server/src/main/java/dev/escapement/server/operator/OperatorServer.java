package dev.escapement.server.operator;

import dev.escapement.api.workflow.WorkflowCatalogue;
import dev.escapement.engine.Engine;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.kubernetes.audit.AuditOutbox;
import dev.escapement.kubernetes.audit.AuditSources;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.event.DeletionActors;
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
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.CloseStack;
import dev.escapement.server.DatabaseFactory;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.RunningService;
import dev.escapement.server.StartException;
import dev.escapement.server.audit.ClusterAuditService;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.document.CatalogueMapper;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.endpoint.WorkflowRemediationRequester;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.events.StatusObservingStore;
import dev.escapement.server.http.RestServer;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.server.http.access.GeneratedToken;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.metrics.JournalMetrics;
import dev.escapement.server.metrics.LedgerMetrics;
import dev.escapement.server.metrics.ServerMetrics;
import dev.escapement.server.operator.notification.ClusterNotificationService;
import dev.escapement.storage.Database;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running operator, wired from top to bottom. The parts are closed in reverse order: first HTTP, then the reconcilers
 * and the leadership, then the watches. Runs keep running.
 */
public final class OperatorServer implements RunningService {

    private static final String CATALOGUE_NOTE =
            "on a cluster an execution names the image of its workflow in spec.workflowRef.containerImage; the"
                    + " catalogue only declares parameters, in the files of the folder that the setting workflows names";
    private static final Duration EVENT_FLUSH_TIMEOUT = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(OperatorServer.class);

    private final CloseStack closeStack = new CloseStack();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final KubernetesClient client;
    private final ClusterOperator operator;
    private final RestServer http;

    /**
     * Starts an operator. When this returns its caches are filled, and it leads or waits to become the leader.
     *
     * @throws StartException if it cannot start; then nothing is left open
     */
    public static OperatorServer start(Settings settings) {
        LoggingConfiguration.configure(settings.get(SettingsTable.LOG_FORMAT), settings.get(SettingsTable.LOG_LEVEL));
        settings.tokenWarning().ifPresent(LOG::warn);
        ineffectiveSettings(settings).forEach(LOG::warn);
        return new OperatorServer(GeneratedToken.addTo(settings), InstantSource.system());
    }

    /** Returns a warning for each given setting that an operator does not use. */
    public static List<String> ineffectiveSettings(Settings settings) {
        String configMap = ": an operator reads its policy from ConfigMap %s in namespace %s"
                .formatted(PolicyConfigMap.NAME, settings.get(SettingsTable.NAMESPACE));
        return settings.givenExcept(SettingsTable.OPERATOR).stream()
                .map(row -> "%s (%s) has no effect%s"
                        .formatted(
                                row.key(),
                                row.origin(),
                                row.key().startsWith(SettingsTable.POLICY_PREFIX) ? configMap : " in an operator"))
                .toList();
    }

    private OperatorServer(Settings settings, InstantSource clock) {
        try {
            // Client, watches and policy.
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            ServerMetrics metrics = new ServerMetrics(registry);
            client = closeStack.add(OperatorFactory.openClient(settings, metrics::countKubernetesRequest));
            boolean tekton = OperatorFactory.checkCluster(client, settings);
            String identity = OperatorFactory.createIdentity();
            EventJournal journal = closeStack.add(new EventJournal(client, clock));
            EventPublisher publisher = closeStack.add(new EventPublisher(client, journal, identity, clock));
            closeStack.add(() -> publisher.flush(EVENT_FLUSH_TIMEOUT));
            PolicyConfigMap policy = closeStack.add(new PolicyConfigMap(
                    client, settings.get(SettingsTable.NAMESPACE), clock, publisher::publishPolicyRefused));
            Optional<Catalogue> declarations =
                    settings.get(SettingsTable.WORKFLOWS).map(Catalogue::ofDeclarations);
            KubernetesRunnerService runs =
                    closeStack.add(OperatorFactory.startRunnerService(client, settings, tekton, declarations, clock));
            OperatorFactory.awaitListed(journal);
            OperatorFactory.awaitSync(policy.informer());
            OperatorFactory.requireValidPolicy(policy);

            // Processing of executions.
            ResourceCache<WorkflowExecutionResource> executions = WorkflowExecutionResource.newCache();
            ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
            var executionWriter = new ResourceWriter<>(client, WorkflowExecutionResource.class, executions);
            var targetWriter = new ResourceWriter<>(client, RemediationTargetResource.class, targets);
            ExecutionQueries queries = new KubernetesExecutionQueries(executionWriter, targetWriter);
            JournalFeed feed = new JournalFeed(journal, journal.endPosition());
            KubernetesExecutionStore resources = new KubernetesExecutionStore(executionWriter, targetWriter, policy);
            DeletionActors deletions = new DeletionActors();
            EventReplayer replayer = new EventReplayer(
                    executions, targets, resources::readExecution, publisher::publish, deletions, clock);
            ExecutionStore store = new StatusObservingStore(
                    new EventPublishingStore(resources, executions, publisher, replayer, deletions),
                    feed::onStatusChange);
            Engine engine = new Engine(store, runs, policy);

            // Metrics, log and event stream.
            LedgerMetrics ledgerMetrics = new LedgerMetrics(registry, queries, clock);
            // No listener: the reconcilers see every change by their watches.
            JournalFollower follower =
                    closeStack.add(new JournalFollower(journal, feed, new JournalMetrics(registry), transition -> {}));

            // Endpoints and the audit trail need a database; without one there are none.
            Optional<Database> database = settings.get(SettingsTable.DATABASE).isEmpty()
                    ? Optional.empty()
                    : Optional.of(closeStack.add(DatabaseFactory.openPostgres(settings)));

            // Audit records for the trail or the sink, if there is one.
            Optional<AuditOutbox> outbox = OperatorFactory.createOutbox(
                    client, settings, database.isPresent(), AuditSources.of(journal, replayer, publisher, clock));

            // Reconcilers, which wait until this replica leads.
            operator = closeStack.add(OperatorFactory.startOperator(
                    new ClusterOperator.Components(
                            client,
                            executions,
                            targets,
                            engine,
                            resources.waiting(),
                            runs,
                            policy,
                            replayer,
                            publisher,
                            clock),
                    settings,
                    identity,
                    ended -> outbox.map(undelivered -> undelivered.isRecorded(ended))
                            .orElse(true),
                    metrics.reconcileTimer()::record,
                    terminated::countDown));
            operator.watchHealth().add("events", journal.informer());
            operator.watchHealth().add("the ConfigMap", policy.informer());

            OperatorAudit audit = closeStack.add(new OperatorAudit(
                    settings,
                    outbox.flatMap(undelivered -> database),
                    outbox.map(undelivered ->
                            new ClusterAuditService.Source(undelivered, journal, operator::isLeading, identity)),
                    registry,
                    clock));

            // Notifications, which the leader creates and sends.
            ClusterNotificationService notifications = closeStack.add(new ClusterNotificationService(
                    settings,
                    new ClusterNotificationService.Sources(client, executions, targets, journal),
                    registry,
                    clock,
                    operator::isLeading));
            OperatorFactory.awaitSync(notifications.informer());
            operator.watchHealth().add("notifications", notifications.informer());
            operator.onLeading(notifications::startLeading);

            // Endpoints, health and HTTP.
            ExecutionService service = new ExecutionService(store, queries, policy);
            WorkflowLookup workflows = new WorkflowLookup(() -> declarations
                    .map(catalogue -> CatalogueMapper.toDocument(catalogue, Optional.of(CATALOGUE_NOTE)))
                    .orElseGet(() -> new WorkflowCatalogue(List.of(), List.of(), CATALOGUE_NOTE)));
            Optional<EndpointScheduler> endpoints = database.map(opened -> {
                metrics.registerStore(opened::counts);
                PeriodicTasks maintenance = closeStack.add(new PeriodicTasks("maintenance"));
                var requester = new WorkflowRemediationRequester(queries, service, workflows, item -> {}, clock);
                return closeStack.add(
                        EndpointScheduler.start(settings, opened, identity, requester, maintenance, registry, clock));
            });
            var problemSources = new OperatorHealth.ProblemSources(
                    operator.watchHealth()::findUnsynced,
                    operator.watchHealth()::findDisconnected,
                    () -> OperatorFactory.missingResources(client));
            OperatorHealth health = closeStack.add(new OperatorHealth(problemSources, System::nanoTime));
            // The uid and the time of creation are set by the API server.
            UnaryOperator<Execution> reloader = created -> queries.findExecution(
                            created.ref().namespace(), created.ref().name())
                    .map(Versioned::value)
                    .orElse(created);
            // No queue: the leader's watch sees every change.
            var executionBackend =
                    new ExecutionRoutes.Backend(store, queries, service, runs, item -> {}, reloader, execution -> {});
            HealthChecks checks =
                    health.createHealthChecks(operator, follower, notifications::isAlive, audit::isAlive, endpoints);
            RestServer.Dependencies dependencies = new RestServer.Dependencies(
                    executionBackend,
                    endpoints.map(scheduler -> scheduler.routeContext(queries, true)),
                    audit.routes(),
                    Optional.of(notifications.routes()),
                    new SystemRoutes(workflows, policy, policy::document, checks, ledgerMetrics::scrape),
                    feed,
                    clock);
            http = closeStack.add(RestServer.start(settings, settings.get(SettingsTable.PORT), dependencies));
            notifications.denyOwnPort(http.address().getPort());
            endpoints.ifPresent(
                    scheduler -> scheduler.denyOwnPort(http.address().getPort()));
            metrics.registerPendingEvents(publisher::queuedCount, publisher::lostCount);
            metrics.registerServer(http.streams()::openCount, operator::isLeading);
        } catch (RuntimeException failure) {
            closeStack.close();
            throw failure;
        }
        LOG.info("Listening on {}, cluster {}", address(), apiServerAddress());
    }

    @Override
    public URI address() {
        return http.address();
    }

    @Override
    public URI loginAddress() {
        return http.loginAddress();
    }

    public String apiServerAddress() {
        return client.getMasterUrl().toString();
    }

    /** Whether this replica reconciles executions. */
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
