package dev.escapement.server.config;

import static dev.escapement.server.config.SettingParsers.duration;
import static dev.escapement.server.config.SettingParsers.size;
import static dev.escapement.server.config.SettingParsers.wholeNumber;

import dev.escapement.endpoints.guard.AllowList;
import java.time.Duration;
import java.util.List;

/** The settings of scheduled endpoints. */
public final class EndpointSettings {

    public static final Setting<AllowList> ALLOW = Setting.of(
            "endpoints.allow",
            "",
            "internal addresses that endpoints may call, such as `10.0.0.0/8, [::1]:8080, *.svc.example`;"
                    + " empty for none",
            (text, base) -> AllowList.parse(text));

    public static final Setting<Integer> CONCURRENCY = Setting.of(
            "endpoints.concurrency",
            "256",
            "maximum number of concurrent calls of this server",
            wholeNumber(1, 10_000));

    public static final Setting<Integer> PER_HOST = Setting.of(
            "endpoints.per-host",
            "64",
            "maximum number of concurrent calls of this server to one host and port",
            wholeNumber(1, 10_000));

    public static final Setting<Integer> MAX_RESPONSE = Setting.of(
            "endpoints.max-response",
            "1MiB",
            "maximum size of a response; a call with a larger one fails",
            size(1 << 10, 64 << 20));

    public static final Setting<Integer> EXCERPT =
            Setting.of("endpoints.excerpt", "2KiB", "how much of a response is stored with its run", size(1, 64 << 10));

    public static final Setting<Duration> LEASE_MARGIN = Setting.of(
            "endpoints.lease-margin",
            "10s",
            "how long after the timeout of a call its lease expires, so that another server may repeat it",
            duration("1s", "1h"));

    public static final Setting<Integer> KEEP_RUNS = Setting.of(
            "endpoints.keep-runs", "1000", "maximum number of stored runs per endpoint", wholeNumber(1, 1_000_000));

    public static final Setting<Duration> KEEP_RUNS_FOR = Setting.of(
            "endpoints.keep-runs-for", "7d", "how long runs of endpoints are stored", duration("1m", "3650d"));

    static final List<Setting<?>> ALL =
            List.of(ALLOW, CONCURRENCY, PER_HOST, MAX_RESPONSE, EXCERPT, LEASE_MARGIN, KEEP_RUNS, KEEP_RUNS_FOR);

    private EndpointSettings() {}
}
