package dev.escapement.crashtests.cluster;

import dev.escapement.testkit.ConditionPoller;
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

/** Violates a promise on purpose, with the rights of an administrator: the judge must find each violation. */
enum ClusterSabotage {
    /** Starts a second run of a running execution. */
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

    /** Replaces the holder of a held target. */
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
                // The schema requires that the epoch increases.
                status(entry).merge("epoch", 1L, (epoch, one) -> ((Number) epoch).longValue() + 1);
                new ExecutionClient(admin).ledgerEntries().resource(entry).update();
            });
            return found.isPresent();
        }
    },

    /** Removes the block of a target without a clearance. */
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

    /** Deletes a finished execution that the load has not deleted. */
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

    /** Returns whether a suitable object was found; throws if the operator changed it at the same time. */
    abstract boolean tryOnce(KubernetesClient admin);

    /** Waits for a suitable object and changes it; returns false after a timeout of 60 s. */
    boolean apply(KubernetesClient admin, Consumer<String> progress) {
        return ConditionPoller.isTrueWithin(TIMEOUT, () -> {
            try {
                return tryOnce(admin);
            } catch (KubernetesClientException conflict) {
                progress.accept("  will retry: " + conflict.getMessage());
                return false;
            }
        });
    }

    /** Returns the value of the option {@code --sabotage}. */
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
