package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.server.config.SettingsReader.SettingsException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy from the settings, which can be reloaded. An invalid change is rejected and the old policy stays.
 * Thread-safe.
 */
public final class ReloadablePolicy implements Supplier<Policy> {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadablePolicy.class);

    /** A rejected change of the policy. */
    public record Refusal(Instant at, List<String> problems) {}

    private record State(Settings settings, Instant since, Optional<Refusal> lastRefusal) {}

    private final InstantSource clock;
    private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
    private volatile State state;

    public ReloadablePolicy(Settings settings, InstantSource clock) {
        this.clock = clock;
        this.state = new State(settings, clock.instant(), Optional.empty());
    }

    /** Calls back after every change of the policy. The callback must not block or throw. */
    public void onChange(Runnable listener) {
        changeListeners.add(listener);
    }

    @Override
    public Policy get() {
        return state.settings().policy();
    }

    /** Reads the settings again and applies a valid policy at once; returns false if they are invalid. */
    public synchronized boolean reload() {
        State before = state;
        try {
            Settings changed = SettingsReader.read(before.settings().sources());
            boolean differs = !changed.policy().equals(before.settings().policy());
            // Origins may change without values. Valid settings end an earlier rejection.
            state = new State(changed, differs ? clock.instant() : before.since(), Optional.empty());
            if (differs) {
                LOG.info("Policy changed: {}", PolicyText.format(changed.policy()));
                changeListeners.forEach(Runnable::run);
            }
            logChangesThatNeedRestart(before.settings(), changed);
            return true;
        } catch (SettingsException invalid) {
            if (!before.lastRefusal().map(Refusal::problems).equals(Optional.of(invalid.problems()))) {
                state = new State(
                        before.settings(),
                        before.since(),
                        Optional.of(new Refusal(clock.instant(), invalid.problems())));
                LOG.error("Policy not changed, the old one stays: {}", String.join("; ", invalid.problems()));
            }
            return false;
        }
    }

    private static void logChangesThatNeedRestart(Settings before, Settings changed) {
        for (int i = 0; i < before.rows().size(); i++) {
            Settings.Row row = changed.rows().get(i);
            if (!row.key().startsWith(SettingsTable.POLICY_PREFIX)
                    && !row.value().equals(before.rows().get(i).value())) {
                LOG.warn("Setting {} changed in {}; the change takes effect after a restart", row.key(), row.origin());
            }
        }
    }

    /** Returns the policy as JSON: its values, their origins, since when, and the last rejected change. */
    public Map<String, Object> document() {
        State now = state;
        Map<String, Object> document =
                new LinkedHashMap<>(PolicyText.format(now.settings().policy()));
        Map<String, String> origins = new LinkedHashMap<>();
        now.settings().policyOrigins().forEach((key, origin) -> origins.put(key, origin.toString()));
        document.put("origin", String.join(", ", new TreeSet<>(origins.values())));
        document.put("origins", origins);
        document.put("since", now.since().toString());
        now.lastRefusal()
                .ifPresent(refusal -> document.put(
                        "lastRefused", Map.of("at", refusal.at().toString(), "problems", refusal.problems())));
        return document;
    }
}
