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
 * Follows the gate's policy in a ConfigMap. An invalid policy is rejected and the previous one stays in force; without
 * the ConfigMap the defaults apply. Thread-safe.
 */
public final class PolicyConfigMap implements Supplier<Policy>, ResourceEventHandler<ConfigMap>, AutoCloseable {

    /** The name of the ConfigMap, in the operator's namespace. */
    public static final String NAME = "workflowexecution-config";

    private static final Logger LOG = LoggerFactory.getLogger(PolicyConfigMap.class);

    private record Rejection(Instant at, String problem) {}

    private record State(Policy policy, boolean fromConfigMap, Instant since, Optional<Rejection> lastRejection) {}

    private final String namespace;
    private final InstantSource clock;
    private final BiConsumer<ConfigMap, String> onRejection;
    private final SharedIndexInformer<ConfigMap> informer;
    private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
    private volatile State state;

    /**
     * Starts to watch the ConfigMap.
     *
     * @param onRejection receives an invalid ConfigMap and the problem; must not block or throw
     */
    public PolicyConfigMap(
            KubernetesClient client, String namespace, InstantSource clock, BiConsumer<ConfigMap, String> onRejection) {
        this.namespace = namespace;
        this.clock = clock;
        this.onRejection = onRejection;
        this.state = new State(Policy.DEFAULT, false, clock.instant(), Optional.empty());
        this.informer = client.configMaps()
                .inNamespace(namespace)
                .withName(NAME)
                .runnableInformer(0)
                .exceptionHandler((started, failure) -> true)
                .addEventHandler(this);
        var unused = informer.start();
    }

    /**
     * Applies the policy that the synced watch has, without waiting for its event: meanwhile the defaults could expire
     * entries that the policy keeps.
     *
     * @return the problem if it is invalid, because no previous policy can stay in force
     */
    public Optional<String> loadInitial() {
        return Optional.ofNullable(informer.getStore().getByKey(Cache.namespaceKeyFunc(namespace, NAME)))
                .flatMap(map -> {
                    load(map);
                    return state.lastRejection().map(Rejection::problem);
                });
    }

    public SharedIndexInformer<ConfigMap> informer() {
        return informer;
    }

    /** Adds a listener that is called after the policy has changed. It must not block or throw. */
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
        } catch (IllegalArgumentException invalid) {
            reject(map, String.valueOf(invalid.getMessage()));
        }
    }

    private void activate(Policy policy, boolean fromConfigMap) {
        boolean differs;
        synchronized (this) {
            differs = !policy.equals(state.policy());
            // A valid policy ends an earlier rejection.
            state = new State(policy, fromConfigMap, differs ? clock.instant() : state.since(), Optional.empty());
        }
        if (differs) {
            LOG.info("Policy changed: {}", PolicyText.format(policy));
            changeListeners.forEach(Runnable::run);
        }
    }

    private void reject(ConfigMap map, String problem) {
        synchronized (this) {
            if (state.lastRejection().map(Rejection::problem).equals(Optional.of(problem))) {
                return;
            }
            Rejection rejection = new Rejection(clock.instant(), problem);
            state = new State(state.policy(), state.fromConfigMap(), state.since(), Optional.of(rejection));
        }
        LOG.error("ConfigMap {}/{} is invalid, the previous policy stays in force: {}", namespace, NAME, problem);
        onRejection.accept(map, problem);
    }

    /** Returns the policy as texts, its origin, since when it applies, and the last rejection. */
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
                .ifPresent(rejection -> document.put(
                        "lastRefused",
                        Map.of("at", rejection.at().toString(), "problems", List.of(rejection.problem()))));
        return document;
    }

    @Override
    public void close() {
        informer.close();
    }
}
