package dev.escapement.kubernetes.store;

import dev.escapement.engine.contract.ContractPorts;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.OperatorServiceAccount;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.testkit.cluster.CrdStatus;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The ports on the shared test cluster, emptied of executions and entries, with the permissions of the operator. */
public final class KubernetesPorts implements AutoCloseable, ContractPorts.StoreTraits {

    private final KubernetesClient client;
    private final SharedIndexInformer<WorkflowExecutionResource> executionInformer;
    private final SharedIndexInformer<RemediationTargetResource> targetInformer;
    private final ResourceCache<WorkflowExecutionResource> executionCache = new ResourceCache<>();
    private final ResourceCache<RemediationTargetResource> targetCache = new ResourceCache<>();

    private KubernetesPorts(KubernetesClient client) {
        this.client = client;
        this.executionInformer = client.resources(WorkflowExecutionResource.class)
                .inAnyNamespace()
                .runnableInformer(0)
                .itemStore(executionCache);
        this.targetInformer = client.resources(RemediationTargetResource.class)
                .runnableInformer(0)
                .itemStore(targetCache);
    }

    /** Deletes the resources of other tests and starts the watches. */
    public static KubernetesPorts open(TestCluster cluster) {
        KubernetesClient admin = cluster.admin();
        installCrds(admin);
        for (String namespace : List.of("ops", "shop", "any")) {
            admin.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
        deleteAll(admin, WorkflowExecutionResource.class);
        deleteAll(admin, RemediationTargetResource.class);
        KubernetesPorts ports = new KubernetesPorts(OperatorServiceAccount.newClient(cluster));
        ports.executionInformer.run();
        ports.targetInformer.run();
        return ports;
    }

    /** Applies the custom resource definitions and waits until they are established. */
    public static void installCrds(KubernetesClient admin) {
        for (String name : List.of("workflowexecutions", "remediationtargets", "notificationrequests")) {
            InputStream yaml = KubernetesPorts.class.getResourceAsStream(
                    "/dev/escapement/kubernetes/deploy/crds/" + name + ".yaml");
            admin.load(yaml).serverSideApply();
            CrdStatus.awaitEstablished(admin, name + ".kubernaut.ai");
        }
    }

    private static <T extends HasMetadata> void deleteAll(KubernetesClient admin, Class<T> type) {
        admin.resources(type).inAnyNamespace().list().getItems().forEach(each -> {
            admin.resource(each).delete();
            removeFinalizers(admin, each);
        });
    }

    /** The operator that would complete the deletion of an entry is not running. */
    private static void removeFinalizers(KubernetesClient admin, HasMetadata object) {
        if (!object.getMetadata().getFinalizers().isEmpty()) {
            admin.resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        }
    }

    /** Returns the client of the operator. */
    public KubernetesClient client() {
        return client;
    }

    public ResourceCache<WorkflowExecutionResource> executionCache() {
        return executionCache;
    }

    public ContractPorts ports(Journal journal) {
        var executionWriter = new ResourceWriter<>(client, WorkflowExecutionResource.class, executionCache);
        var targetWriter = new ResourceWriter<>(client, RemediationTargetResource.class, targetCache);
        return new ContractPorts(
                new KubernetesExecutionStore(executionWriter, targetWriter, () -> Policy.DEFAULT),
                new KubernetesExecutionQueries(executionWriter, targetWriter),
                journal,
                this);
    }

    @Override
    public boolean isTransactional() {
        return false;
    }

    @Override
    public boolean isApiServer() {
        return true;
    }

    /** Creation times have whole seconds. */
    @Override
    public void awaitLaterCreation() {
        long second = Instant.now().getEpochSecond();
        while (Instant.now().getEpochSecond() == second) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Override
    public void close() {
        executionInformer.stop();
        targetInformer.stop();
        client.close();
    }
}
