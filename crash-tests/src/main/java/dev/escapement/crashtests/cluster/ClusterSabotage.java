package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.kit.CrashTestWait;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What only an administrator could do, and what nobody should: the judge must notice each of them. */
enum ClusterSabotage {
    /** A second run of an execution that is running. */
    SECOND_RUN {
        @Override
        boolean tryOnce(KubernetesClient admin) {
            Optional<GenericKubernetesResource> found = pipelineRuns(admin).stream()
                    .filter(run -> run.get("spec", "status") == null && run.get("status", "completionTime") == null)
                    .findFirst();
            found.ifPresent(run -> {
                run.setMetadata(new ObjectMetaBuilder()
                        .withNamespace(run.getMetadata().getNamespace())
                        .withName(run.getMetadata().getName() + "-again")
                        .withLabels(run.getMetadata().getLabels())
                        .withAnnotations(run.getMetadata().getAnnotations())
                        .build());
                run.getAdditionalProperties().remove("status");
                new ExecutionClient(admin).pipelineRuns().resource(run).create();
            });
            return found.isPresent();
        }
    },

    /** Somebody takes a target from its holder. */
    THIEF {
        @Override
        boolean tryOnce(KubernetesClient admin) {
            Optional<GenericKubernetesResource> found = ledgerEntries(admin).stream()
                    .filter(entry -> entry.get("status", "holder") != null)
                    .findFirst();
            found.ifPresent(entry -> {
                Map<String, Object> holder = new HashMap<>(entry.<Map<String, Object>>get("status", "holder"));
                holder.put("uid", "00000000-0000-0000-0000-000000000000");
                holder.put("name", "thief");
                status(entry).put("holder", holder);
                // Without this the schema refuses it.
                status(entry).merge("epoch", 1L, (epoch, one) -> ((Number) epoch).longValue() + 1);
                new ExecutionClient(admin).ledgerEntries().resource(entry).update();
            });
            return found.isPresent();
        }
    },

    /** Somebody makes a blocked target forget why. */
    AMNESIA {
        @Override
        boolean tryOnce(KubernetesClient admin) {
            Optional<GenericKubernetesResource> found = ledgerEntries(admin).stream()
                    .filter(entry -> "Blocked".equals(entry.get("status", "state")))
                    .findFirst();
            found.ifPresent(entry -> {
                status(entry).remove("workflows");
                new ExecutionClient(admin).ledgerEntries().resource(entry).update();
            });
            return found.isPresent();
        }
    },

    /** Something deletes an execution that nobody wanted to delete. */
    ERASER {
        @Override
        boolean tryOnce(KubernetesClient admin) {
            Optional<GenericKubernetesResource> found = executions(admin).stream()
                    .filter(execution -> ExecutionClient.isFinished(ExecutionClient.phase(execution)))
                    .findFirst();
            found.ifPresent(execution ->
                    new ExecutionClient(admin).executions().resource(execution).delete());
            return found.isPresent();
        }
    };

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Returns whether there was something to do it to; a conflict with the operator is a reason to look again. */
    abstract boolean tryOnce(KubernetesClient admin);

    /** Does it as soon as there is something to do it to. */
    boolean apply(KubernetesClient admin, Consumer<String> say) {
        return CrashTestWait.waitUntil(
                () -> {
                    try {
                        return tryOnce(admin);
                    } catch (KubernetesClientException changed) {
                        say.accept("  not yet: " + changed.getMessage());
                        return false;
                    }
                },
                TIMEOUT);
    }

    /** As it is written on the command line. */
    String optionValue() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<ClusterSabotage> parse(String word) {
        return List.of(values()).stream()
                .filter(each -> each.optionValue().equals(word))
                .findFirst();
    }

    private static List<GenericKubernetesResource> pipelineRuns(KubernetesClient admin) {
        return new ExecutionClient(admin).pipelineRuns().inAnyNamespace().list().getItems();
    }

    private static List<GenericKubernetesResource> ledgerEntries(KubernetesClient admin) {
        return new ExecutionClient(admin).ledgerEntries().list().getItems();
    }

    private static List<GenericKubernetesResource> executions(KubernetesClient admin) {
        return new ExecutionClient(admin).executions().inAnyNamespace().list().getItems();
    }

    private static Map<String, Object> status(GenericKubernetesResource entry) {
        return entry.get("status");
    }
}
