package dev.escapement.server.config;

import static dev.escapement.server.config.SettingParsers.duration;
import static dev.escapement.server.config.SettingParsers.size;
import static dev.escapement.server.config.SettingParsers.wholeNumber;

import dev.escapement.endpoints.guard.AllowList;
import java.time.Duration;
import java.util.List;

/** What can be set of scheduled endpoints. */
public final class EndpointSettings {

    /** Which addresses of the inside may be called. */
    public static final Setting<AllowList> ALLOW = Setting.of(
            "endpoints.allow",
            "",
            "internal addresses that endpoints may call, such as `10.0.0.0/8, [::1]:8080, *.svc.example`;"
                    + " empty for none",
            (text, base) -> AllowList.parse(text));

    /** How many calls at once. */
    public static final Setting<Integer> CONCURRENCY = Setting.of(
            "endpoints.concurrency", "256", "calls that this server makes at once, at most", wholeNumber(1, 10_000));

    /** How many of one host. */
    public static final Setting<Integer> PER_HOST = Setting.of(
            "endpoints.per-host",
            "64",
            "calls to one host and port that this server makes at once, at most",
            wholeNumber(1, 10_000));

    /** How much of an answer is read. */
    public static final Setting<Integer> MAX_RESPONSE = Setting.of(
            "endpoints.max-response", "1MiB", "largest answer to a call; a larger one fails", size(1 << 10, 64 << 20));

    /** How much of an answer is kept. */
    public static final Setting<Integer> EXCERPT =
            Setting.of("endpoints.excerpt", "2KiB", "how much of an answer is kept with its run", size(1, 64 << 10));

    /** How much longer than a timeout a lease is. */
    public static final Setting<Duration> LEASE_MARGIN = Setting.of(
            "endpoints.lease-margin",
            "10s",
            "how long after a call's timeout another server may make it again, if nothing was heard of it",
            duration(Duration.ofSeconds(1), Duration.ofHours(1)));

    /** How many runs are kept. */
    public static final Setting<Integer> KEEP_RUNS = Setting.of(
            "endpoints.keep-runs", "1000", "runs of one endpoint that are kept, at most", wholeNumber(1, 1_000_000));

    /** For how long. */
    public static final Setting<Duration> KEEP_RUNS_FOR = Setting.of(
            "endpoints.keep-runs-for",
            "7d",
            "how long runs of endpoints are kept",
            duration(Duration.ofMinutes(1), Duration.ofDays(3650)));

    static final List<Setting<?>> ALL =
            List.of(ALLOW, CONCURRENCY, PER_HOST, MAX_RESPONSE, EXCERPT, LEASE_MARGIN, KEEP_RUNS, KEEP_RUNS_FOR);

    private EndpointSettings() {}
}
