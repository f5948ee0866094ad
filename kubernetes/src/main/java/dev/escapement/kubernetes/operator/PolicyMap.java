package dev.escapement.kubernetes.operator;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate's rules from a ConfigMap, as they are now. What cannot be used is refused, and the old rules stay; without
 * the ConfigMap the defaults hold. Safe to use by several threads.
 */
public final class PolicyMap implements Supplier<Policy>, ResourceEventHandler<ConfigMap>, AutoCloseable {

    /** The name of the ConfigMap, in the operator's namespace. */
    public static final String NAME = "workflowexecution-config";

    private static final Logger LOG = LoggerFactory.getLogger(PolicyMap.class);

    private record Refusal(Instant at, String problem) {}

    private record State(Policy policy, boolean written, Instant since, Optional<Refusal> refused) {}

    private final String namespace;
    private final InstantSource clock;
    private final BiConsumer<ConfigMap, String> refused;
    private final SharedIndexInformer<ConfigMap> informer;
    private final List<Runnable> changed = new CopyOnWriteArrayList<>();
    private volatile State state;

    private PolicyMap(
            KubernetesClient client, String namespace, InstantSource clock, BiConsumer<ConfigMap, String> refused) {
        this.namespace = namespace;
        this.clock = clock;
        this.refused = refused;
        this.state = new State(Policy.DEFAULT, false, clock.instant(), Optional.empty());
        this.informer = client.configMaps()
                .inNamespace(namespace)
                .withName(NAME)
                .runnableInformer(0)
                .exceptionHandler((started, failure) -> true)
                .addEventHandler(this);
    }

    /**
     * Begins to follow the ConfigMap.
     *
     * @param refused hears of what cannot be used, and why; must not block or throw
     */
    public static PolicyMap watch(
            KubernetesClient client, String namespace, InstantSource clock, BiConsumer<ConfigMap, String> refused) {
        PolicyMap policy = new PolicyMap(client, namespace, clock, refused);
        var unused = policy.informer.start();
        return policy;
    }

    /** What it hears by. */
    public SharedIndexInformer<ConfigMap> informer() {
        return informer;
    }

    /** Hears that other rules hold from now on, after they do. Must not block or throw. */
    public void onChange(Runnable listener) {
        changed.add(listener);
    }

    @Override
    public Policy get() {
        return state.policy();
    }

    @Override
    public void onAdd(ConfigMap map) {
        read(map);
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap map) {
        read(map);
    }

    @Override
    public void onDelete(ConfigMap map, boolean finalStateUnknown) {
        become(Policy.DEFAULT, false);
    }

    private void read(ConfigMap map) {
        try {
            become(PolicyText.parse(Optional.ofNullable(map.getData()).orElseGet(Map::of)), true);
        } catch (IllegalArgumentException bad) {
            refuse(map, String.valueOf(bad.getMessage()));
        }
    }

    private void become(Policy policy, boolean written) {
        if (differed(policy, written)) {
            LOG.info("policy changed: {}", PolicyText.format(policy));
            changed.forEach(Runnable::run);
        }
    }

    private synchronized boolean differed(Policy policy, boolean written) {
        boolean differs = !policy.equals(state.policy());
        // A refusal is over as soon as something can be used.
        state = new State(policy, written, differs ? clock.instant() : state.since(), Optional.empty());
        return differs;
    }

    private void refuse(ConfigMap map, String problem) {
        synchronized (this) {
            if (state.refused().map(Refusal::problem).equals(Optional.of(problem))) {
                return;
            }
            state = new State(
                    state.policy(), state.written(), state.since(), Optional.of(new Refusal(clock.instant(), problem)));
        }
        LOG.error("ConfigMap {}/{}: {}; the old rules stay", namespace, NAME, problem);
        refused.accept(map, problem);
    }

    /** The rules as texts, where they come from, since when, and the last attempt that was refused. */
    public Map<String, Object> document() {
        State now = state;
        Map<String, String> texts = PolicyText.format(now.policy());
        String origin = now.written() ? "ConfigMap " + namespace + "/" + NAME : "default";
        Map<String, Object> document = new LinkedHashMap<>(texts);
        Map<String, String> origins = new LinkedHashMap<>();
        texts.keySet().forEach(key -> origins.put(key, origin));
        document.put("origin", origin);
        document.put("origins", origins);
        document.put("since", now.since().toString());
        now.refused()
                .ifPresent(refusal -> document.put(
                        "lastRefused", Map.of("at", refusal.at().toString(), "problems", List.of(refusal.problem()))));
        return document;
    }

    @Override
    public void close() {
        informer.close();
    }
}
