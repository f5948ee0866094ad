package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate's rules, which may change while the server runs. What cannot be used is refused, and the old rules stay.
 * Safe to use by several threads.
 */
public final class ReloadablePolicy implements PolicySource {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadablePolicy.class);

    /**
     * An attempt to change the rules that was refused.
     *
     * @param at when
     * @param problems why
     */
    public record Refusal(Instant at, List<String> problems) {}

    private record State(Settings settings, Instant since, Optional<Refusal> lastRefusal) {}

    private final InstantSource clock;
    private volatile State state;

    /** @param settings as they were read when the server started */
    public ReloadablePolicy(Settings settings, InstantSource clock) {
        this.clock = clock;
        this.state = new State(settings, clock.instant(), Optional.empty());
    }

    @Override
    public Policy get() {
        return state.settings().policy();
    }

    /** Reads everything again: what can be used acts at once. */
    public synchronized void reload() {
        State before = state;
        try {
            Settings changed = before.settings().reload();
            boolean differs = !changed.policy().equals(before.settings().policy());
            // Origins may change without values; a refusal is over as soon as something can be used.
            state = new State(changed, differs ? clock.instant() : before.since(), Optional.empty());
            if (differs) {
                LOG.info("policy changed: {}", PolicyText.format(changed.policy()));
            }
            logChangesThatNeedRestart(before.settings(), changed);
        } catch (SettingsException refused) {
            if (before.lastRefusal().map(Refusal::problems).equals(Optional.of(refused.problems()))) {
                return;
            }
            state = new State(
                    before.settings(), before.since(), Optional.of(new Refusal(clock.instant(), refused.problems())));
            LOG.error("policy not changed, the old one stays: {}", String.join("; ", refused.problems()));
        }
    }

    private static void logChangesThatNeedRestart(Settings before, Settings changed) {
        for (int i = 0; i < before.rows().size(); i++) {
            Settings.Row row = changed.rows().get(i);
            if (!row.key().startsWith(SettingsTable.POLICY_PREFIX)
                    && !row.value().equals(before.rows().get(i).value())) {
                LOG.warn("{} changed in {}: it acts after the next start", row.key(), row.origin());
            }
        }
    }

    @Override
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
