package dev.escapement.server.config;

import static dev.escapement.server.config.SettingParsers.addresses;
import static dev.escapement.server.config.SettingParsers.database;
import static dev.escapement.server.config.SettingParsers.duration;
import static dev.escapement.server.config.SettingParsers.host;
import static dev.escapement.server.config.SettingParsers.namespace;
import static dev.escapement.server.config.SettingParsers.oneOf;
import static dev.escapement.server.config.SettingParsers.optionalDuration;
import static dev.escapement.server.config.SettingParsers.optionalHttpUrl;
import static dev.escapement.server.config.SettingParsers.optionalPath;
import static dev.escapement.server.config.SettingParsers.path;
import static dev.escapement.server.config.SettingParsers.size;
import static dev.escapement.server.config.SettingParsers.text;
import static dev.escapement.server.config.SettingParsers.wholeNumber;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.server.config.Settings.SecretValue;
import dev.escapement.server.notification.NotificationsSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All settings. The documentation, the help and {@code config check} are generated from this table. */
public final class SettingsTable {

    public static final String VARIABLE_PREFIX = "ESCAPEMENT_";

    public static final String POLICY_PREFIX = "policy.";

    /** Name of the settings file in the data folder. */
    public static final String FILE_NAME = "escapement.yaml";

    /** Cannot be set in the file itself. */
    public static final Setting<Optional<Path>> CONFIG = Setting.of("config", "", optionalPath())
            .describe("settings file; without it `escapement.yaml` in the data folder, if there is one");

    public static final Setting<Path> DATA = Setting.of("data", "~/.escapement", path())
            .describe("folder of the database, of runs and their output; one server per folder");

    public static final Setting<Optional<Path>> WORKFLOWS = Setting.of("workflows", "", optionalPath())
            .describe(
                    "folder of the workflow files; without it `workflows` in the data folder. An operator reads only the"
                            + " parameters that they declare, and without the setting nothing");

    public static final Setting<String> HOST = Setting.of("host", "127.0.0.1", host())
            .describe("address to listen on; any but a loopback address needs `token`, `token-file` or `tokens-file`");

    public static final Setting<Integer> PORT =
            Setting.of("port", "8484", wholeNumber(0, 65_535)).describe("port to listen on; 0 takes any free one");

    public static final Setting<String> AUTHENTICATION = Setting.of("authentication", "token", oneOf("token", "none"))
            .describe("`token`: requests need a token; `none`: every user of this machine has all rights, and only"
                    + " loopback is served");

    public static final Setting<SecretValue> TOKEN = Setting.secret("token")
            .describe(
                    "bearer token with all rights, at least 16 printable ASCII characters; without it one is created in"
                            + " the file `token` of the data folder; other users can see a flag in the list of processes, so"
                            + " prefer `token-file` or the environment");

    public static final Setting<Optional<Path>> TOKEN_FILE =
            Setting.of("token-file", "", optionalPath()).describe("file with the token, instead of `token`");

    public static final Setting<Optional<Path>> TOKENS_FILE = Setting.of("tokens-file", "", optionalPath())
            .describe("file with a token per person and its rights; a change takes effect at once");

    public static final Setting<String> PROXY_USER_HEADER = Setting.of("proxy-user-header", "", text())
            .describe("header in which a trusted proxy names the person, such as `X-Forwarded-User`; empty for none");

    public static final Setting<Set<String>> PROXY_ADDRESSES = Setting.of("proxy-addresses", "", addresses())
            .describe(
                    "IP addresses of the trusted proxy, separated by commas; it also needs a token with the right `proxy`");

    public static final Setting<String> DATABASE = Setting.of("database", "", database())
            .describe("`jdbc:postgresql://host/name`; empty for a SQLite file in the data folder");

    public static final Setting<String> DATABASE_USER =
            Setting.of("database-user", "", text()).describe("user for PostgreSQL");

    public static final Setting<SecretValue> DATABASE_PASSWORD =
            Setting.secret("database-password").describe("password for PostgreSQL");

    public static final Setting<Optional<Path>> DATABASE_PASSWORD_FILE = Setting.of(
                    "database-password-file", "", optionalPath())
            .describe("file with the password, instead of `database-password`");

    public static final Setting<Duration> LEASE = Setting.of("lease", "15s", duration("2s", "1h"))
            .describe("how long after its last heartbeat a server counts as stopped: others take over its executions,"
                    + " and its runs count as lost");

    public static final Setting<Duration> STOP_GRACE = Setting.of("stop-grace", "10s", duration("0s", "1h"))
            .describe("how long a stopping server waits for work in progress, and how long a cancelled run may take to"
                    + " stop");

    public static final Setting<Integer> WORKERS =
            Setting.of("workers", "4", wholeNumber(1, 64)).describe("threads that process executions");

    public static final Setting<Integer> RUN_OUTPUT = Setting.of("run-output", "10MiB", size(4 << 10, 1 << 30))
            .describe("maximum size of the stored output of one run");

    public static final Setting<Integer> KEEP_RUNS = Setting.of("keep-runs", "1000", wholeNumber(1, 1_000_000))
            .describe("maximum number of ended runs whose output is stored");

    public static final Setting<Duration> KEEP_RUNS_FOR = Setting.of("keep-runs-for", "7d", duration("0s", "3650d"))
            .describe("how long the output of ended runs is stored");

    public static final Setting<Optional<Duration>> RETENTION = Setting.of(
                    "retention", "", optionalDuration("0s", "3650d"))
            .describe(
                    "how long finished executions and the journal are kept; those that block a target are kept longer;"
                            + " `0s` keeps all; empty for `30d`, on a cluster `7d`");

    /** Of a standalone server, if the setting is empty. */
    static final Duration STANDALONE_RETENTION = Duration.ofDays(30);

    /** Of an operator, if the setting is empty: finished objects make every list of the API server longer. */
    static final Duration OPERATOR_RETENTION = Duration.ofDays(7);

    public static final Setting<Integer> MAX_REQUEST_SIZE =
            Setting.of("max-request-size", "1MiB", size(1 << 10, 16 << 20)).describe("maximum size of a request body");

    public static final Setting<String> LOG_FORMAT = Setting.of("log-format", "text", oneOf("text", "json"))
            .describe("`text` for people, `json` for one object per line");

    public static final Setting<String> LOG_LEVEL = Setting.of(
                    "log-level", "info", oneOf("error", "warn", "info", "debug"))
            .describe("`error`, `warn`, `info` or `debug`");

    public static final Setting<Optional<Path>> KUBECONFIG = Setting.of("kubeconfig", "", optionalPath())
            .describe("`operator`: kubeconfig file of the cluster; without it `KUBECONFIG`, the service account of the"
                    + " pod, or `~/.kube/config`");

    public static final Setting<String> NAMESPACE = Setting.of("namespace", "kubernaut-system", namespace())
            .describe("`operator`: namespace of its ConfigMap, of the lease of the leader and of its notifications");

    public static final Setting<String> EXECUTION_NAMESPACE = Setting.of(
                    "execution-namespace", "kubernaut-workflows", namespace())
            .describe("`operator`: namespace of all runs");

    public static final Setting<String> ENGINE = Setting.of("engine", "tekton", oneOf("tekton", "job"))
            .describe("`operator`: engine of executions that do not name one: `tekton` or `job`");

    public static final Setting<String> LEADER_ELECTION = Setting.of(
                    "leader-election", "auto", oneOf("auto", "on", "off"))
            .describe("`operator`: whether only one of several replicas reconciles: `on`, `off`, or `auto` for on in a"
                    + " pod");

    public static final Setting<AllowList> ENDPOINT_ALLOW = Setting.of(
                    "endpoints.allow", "", (text, base) -> AllowList.parse(text))
            .describe("internal addresses that endpoints may call, such as `10.0.0.0/8, [::1]:8080, *.svc.example`;"
                    + " empty for none. This server itself needs an entry with its port");

    public static final Setting<Integer> ENDPOINT_CONCURRENCY = Setting.of(
                    "endpoints.concurrency", "256", wholeNumber(1, 10_000))
            .describe("maximum number of concurrent calls of this server");

    public static final Setting<Integer> ENDPOINT_PER_HOST = Setting.of(
                    "endpoints.per-host", "64", wholeNumber(1, 10_000))
            .describe("maximum number of concurrent calls of this server to one host and port");

    public static final Setting<Integer> ENDPOINT_MAX_RESPONSE = Setting.of(
                    "endpoints.max-response", "1MiB", size(1 << 10, 64 << 20))
            .describe("maximum size of a response; a call with a larger one fails");

    public static final Setting<Integer> ENDPOINT_EXCERPT = Setting.of("endpoints.excerpt", "2KiB", size(1, 64 << 10))
            .describe("how much of a response is stored with its run");

    public static final Setting<Duration> ENDPOINT_LEASE_MARGIN = Setting.of(
                    "endpoints.lease-margin", "10s", duration("1s", "1h"))
            .describe("how long after the timeout of a call its lease expires, so that another server may repeat it");

    public static final Setting<Duration> ENDPOINT_MIN_REST = Setting.of(
                    "endpoints.min-rest", "1s", duration("0s", "1h"))
            .describe("shortest time from the end of a run to the next one of an interval, but at most a tenth of the"
                    + " interval");

    public static final Setting<Integer> ENDPOINT_KEEP_RUNS = Setting.of(
                    "endpoints.keep-runs", "1000", wholeNumber(1, 1_000_000))
            .describe("maximum number of stored runs per endpoint");

    public static final Setting<Duration> ENDPOINT_KEEP_RUNS_FOR = Setting.of(
                    "endpoints.keep-runs-for", "7d", duration("1m", "3650d"))
            .describe("how long runs of endpoints are stored");

    public static final Setting<Duration> AUDIT_RETENTION = Setting.of(
                    "audit.retention", "365d", duration("1d", "36500d"))
            .describe("how long entries of the audit trail are stored; the rest stays verifiable");

    public static final Setting<Duration> AUDIT_CHECKPOINT_INTERVAL = Setting.of(
                    "audit.checkpoint-interval", "1h", duration("1m", "30d"))
            .describe("how often the newest hash of the audit trail is logged and stored as a checkpoint; entries are"
                    + " removed up to one");

    public static final Setting<Optional<URI>> AUDIT_SINK_URL = Setting.of("audit.sink.url", "", optionalHttpUrl())
            .describe("server that receives audit records at `/api/v1/audit/events/batch` below this address; empty for"
                    + " none");

    public static final Setting<Optional<Path>> AUDIT_SINK_TOKEN_FILE = Setting.of(
                    "audit.sink.token-file", "", optionalPath())
            .describe("file with the bearer token for the sink; a change takes effect at once");

    public static final Setting<Integer> AUDIT_SINK_BATCH_SIZE = Setting.of(
                    "audit.sink.batch-size", "100", wholeNumber(1, 1_000))
            .describe("maximum number of records in one request to the sink");

    public static final Setting<Duration> AUDIT_SINK_TIMEOUT = Setting.of(
                    "audit.sink.timeout", "10s", duration("100ms", "1m"))
            .describe("how long a request to the sink may take");

    private static final List<Setting<?>> AUDIT = List.of(
            AUDIT_RETENTION,
            AUDIT_CHECKPOINT_INTERVAL,
            AUDIT_SINK_URL,
            AUDIT_SINK_TOKEN_FILE,
            AUDIT_SINK_BATCH_SIZE,
            AUDIT_SINK_TIMEOUT);

    public static final Setting<NotificationsSource> NOTIFICATIONS_FILE = Setting.of(
                    "notifications.file",
                    "",
                    (text, base) -> text.isBlank()
                            ? NotificationsSource.NONE
                            : NotificationsSource.read(path().parse(text, base)))
            .describe("file with the channels, routes, quiet times and folding of notifications; without it they are"
                    + " written to the log only; a change of the file takes effect at once");

    public static final Setting<AllowList> NOTIFICATIONS_ALLOW = Setting.of(
                    "notifications.allow", "", (text, base) -> AllowList.parse(text))
            .describe(
                    "internal addresses that channels may call, the mail server included, as in `endpoints.allow`; empty for"
                            + " none");

    public static final Setting<String> NOTIFICATIONS_PAGE_URL = Setting.of("notifications.page-url", "", text())
            .describe("address at which people reach the dashboard, for the link in notifications; empty for no link");

    public static final Setting<Duration> NOTIFICATIONS_KEEP_FOR = Setting.of(
                    "notifications.keep-for", "30d", duration("1h", "3650d"))
            .describe(
                    "how long notifications are kept after they were sent, or could not be sent; an operator keeps them for"
                            + " `7d` if this is not set");

    public static final Setting<Duration> NOTIFICATIONS_TIMEOUT = Setting.of(
                    "notifications.timeout", "15s", duration("100ms", "5m"))
            .describe("how long a channel may take to send one notification, in all");

    private static final List<Setting<?>> OPERATOR_ONLY =
            List.of(KUBECONFIG, NAMESPACE, EXECUTION_NAMESPACE, ENGINE, LEADER_ELECTION);

    /** In the order of the documentation. */
    public static final List<Setting<?>> ALL = buildAll();

    public static final List<Setting<?>> STANDALONE =
            ALL.stream().filter(setting -> !OPERATOR_ONLY.contains(setting)).toList();

    /** Without those for local runs and the policy, which is in a ConfigMap. */
    public static final List<Setting<?>> OPERATOR = ALL.stream()
            .filter(setting ->
                    !List.of(LEASE, RUN_OUTPUT, KEEP_RUNS, KEEP_RUNS_FOR).contains(setting)
                            && !setting.key().startsWith(POLICY_PREFIX))
            .toList();

    private SettingsTable() {}

    private static List<Setting<?>> buildAll() {
        List<Setting<?>> all = new ArrayList<>();
        all.addAll(List.of(DATA, WORKFLOWS, CONFIG, HOST, PORT));
        all.addAll(List.of(AUTHENTICATION, TOKEN, TOKEN_FILE, TOKENS_FILE, PROXY_USER_HEADER, PROXY_ADDRESSES));
        all.addAll(List.of(DATABASE, DATABASE_USER, DATABASE_PASSWORD, DATABASE_PASSWORD_FILE));
        all.addAll(List.of(LEASE, STOP_GRACE, WORKERS, RUN_OUTPUT, KEEP_RUNS, KEEP_RUNS_FOR));
        all.addAll(List.of(RETENTION, MAX_REQUEST_SIZE));
        all.addAll(List.of(LOG_FORMAT, LOG_LEVEL));
        all.addAll(OPERATOR_ONLY);
        all.addAll(List.of(ENDPOINT_ALLOW, ENDPOINT_CONCURRENCY, ENDPOINT_PER_HOST, ENDPOINT_MAX_RESPONSE));
        all.addAll(List.of(ENDPOINT_EXCERPT, ENDPOINT_LEASE_MARGIN, ENDPOINT_MIN_REST));
        all.addAll(List.of(ENDPOINT_KEEP_RUNS, ENDPOINT_KEEP_RUNS_FOR));
        all.addAll(AUDIT);
        all.addAll(List.of(
                NOTIFICATIONS_FILE,
                NOTIFICATIONS_ALLOW,
                NOTIFICATIONS_PAGE_URL,
                NOTIFICATIONS_KEEP_FOR,
                NOTIFICATIONS_TIMEOUT));
        PolicyText.format(Policy.DEFAULT).forEach((key, value) -> {
            all.add(Setting.of(POLICY_PREFIX + key, value, text())
                    .describe(PolicyDescriptions.of(key) + "; a change of the file takes effect at once"));
        });
        return List.copyOf(all);
    }
}
