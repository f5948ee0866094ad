package dev.escapement.kubernetes.policy;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
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
public final class PolicyConfigMap implements Supplier<Policy>, ResourceEventHandler<ConfigMap>, AutoCloseable {

    /** The name of the ConfigMap, in the operator's namespace. */
    public static final String NAME = "workflowexecution-config";

    private static final Logger LOG = LoggerFactory.getLogger(PolicyConfigMap.class);

    private record Rejection(Instant at, String problem) {}

    private record State(Policy policy, boolean fromConfigMap, Instant since, Optional<Rejection> lastRejection) {}

    private final String namespace;
    private final InstantSource clock;
    private final BiConsumer<ConfigMap, String> rejectionListener;
    private final SharedIndexInformer<ConfigMap> informer;
    private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
    private volatile State state;

    private PolicyConfigMap(
            KubernetesClient client, String namespace, InstantSource clock, BiConsumer<ConfigMap, String> refused) {
        this.namespace = namespace;
        this.clock = clock;
        this.rejectionListener = refused;
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
    public static PolicyConfigMap watch(
            KubernetesClient client, String namespace, InstantSource clock, BiConsumer<ConfigMap, String> refused) {
        PolicyConfigMap policy = new PolicyConfigMap(client, namespace, clock, refused);
        var unused = policy.informer.start();
        return policy;
    }

    /**
     * Takes the rules that the ConfigMap has now that the watch has begun; whoever listens is told of them only a
     * moment later, and by then something may have been forgotten by other rules.
     *
     * @return why they cannot be used: there are no old ones that could stay
     */
    public Optional<String> loadInitial() {
        return Optional.ofNullable(informer.getStore().getByKey(Cache.namespaceKeyFunc(namespace, NAME)))
                .flatMap(map -> {
                    load(map);
                    return state.lastRejection().map(Rejection::problem);
                });
    }

    /** What it hears by. */
    public SharedIndexInformer<ConfigMap> informer() {
        return informer;
    }

    /** Hears that other rules hold from now on, after they do. Must not block or throw. */
    public void onChange(Runnable listener) {
        changeListeners.add(listener);
    }

    @Override
    public Policy get() {
        return state.policy();
    }

    @Override
    public void onAdd(ConfigMap map) {
        load(map);
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap map) {
        load(map);
    }

    @Override
    public void onDelete(ConfigMap map, boolean finalStateUnknown) {
        activate(Policy.DEFAULT, false);
    }

    private void load(ConfigMap map) {
        try {
            activate(PolicyText.parse(Optional.ofNullable(map.getData()).orElseGet(Map::of)), true);
        } catch (IllegalArgumentException bad) {
            reject(map, String.valueOf(bad.getMessage()));
        }
    }

    private void activate(Policy policy, boolean written) {
        if (replaceState(policy, written)) {
            LOG.info("policy changed: {}", PolicyText.format(policy));
            changeListeners.forEach(Runnable::run);
        }
    }

    private synchronized boolean replaceState(Policy policy, boolean written) {
        boolean differs = !policy.equals(state.policy());
        // A refusal is over as soon as something can be used.
        state = new State(policy, written, differs ? clock.instant() : state.since(), Optional.empty());
        return differs;
    }

    private void reject(ConfigMap map, String problem) {
        synchronized (this) {
            if (state.lastRejection().map(Rejection::problem).equals(Optional.of(problem))) {
                return;
            }
            state = new State(
                    state.policy(),
                    state.fromConfigMap(),
                    state.since(),
                    Optional.of(new Rejection(clock.instant(), problem)));
        }
        LOG.error("ConfigMap {}/{}: {}; the old rules stay", namespace, NAME, problem);
        rejectionListener.accept(map, problem);
    }

    /** The rules as texts, where they come from, since when, and the last attempt that was refused. */
    public Map<String, Object> document() {
        State now = state;
        Map<String, String> texts = PolicyText.format(now.policy());
        String origin = now.fromConfigMap() ? "ConfigMap " + namespace + "/" + NAME : "default";
        Map<String, Object> document = new LinkedHashMap<>(texts);
        Map<String, String> origins = new LinkedHashMap<>();
        texts.keySet().forEach(key -> origins.put(key, origin));
        document.put("origin", origin);
        document.put("origins", origins);
        document.put("since", now.since().toString());
        now.lastRejection()
                .ifPresent(refusal -> document.put(
                        "lastRefused", Map.of("at", refusal.at().toString(), "problems", List.of(refusal.problem()))));
        return document;
    }

    @Override
    public void close() {
        informer.close();
    }
}
