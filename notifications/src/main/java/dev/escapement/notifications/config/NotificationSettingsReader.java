package dev.escapement.notifications.config;

import dev.escapement.notifications.delivery.DeliveryRetryPolicy;
import dev.escapement.notifications.folding.FoldingPolicy;
import dev.escapement.notifications.message.NotificationSeverity;
import dev.escapement.notifications.routing.QuietTimes;
import dev.escapement.notifications.routing.QuietTimes.QuietWindow;
import dev.escapement.notifications.routing.RouteMatcher;
import dev.escapement.notifications.routing.RoutingRules;
import dev.escapement.notifications.routing.RoutingRules.Route;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@link NotificationSettings} from a document. */
public final class NotificationSettingsReader {

    private static final Set<NotificationSeverity> QUIET_BY_DEFAULT =
            EnumSet.of(NotificationSeverity.INFO, NotificationSeverity.WARNING);

    private final Map<String, ChannelSettings> channels = new LinkedHashMap<>();
    private final SettingsNode root;

    private NotificationSettingsReader(SettingsNode root) {
        this.root = root;
    }

    /**
     * Reads settings.
     *
     * @param tree of maps, lists and values
     * @param base the folder that relative paths are resolved against
     * @throws IllegalArgumentException naming the path of the invalid setting, its value and the rule; without secrets
     */
    public static NotificationSettings read(Map<String, ?> tree, Path base) {
        return new NotificationSettingsReader(SettingsNode.root(tree, base)).read();
    }

    private NotificationSettings read() {
        root.requireOnly("channels", "routes", "default", "quietTimes", "folding", "retryPolicy");
        channels.put(NotificationSettings.LOG_CHANNEL, new ChannelSettings.Log());
        root.children("channels").forEach((name, node) -> channels.put(checkName(name), ChannelReader.read(node)));
        List<Route> routes = root.list("routes").stream().map(this::readRoute).toList();
        List<String> byDefault =
                root.has("default") ? channels(root, "default") : List.of(NotificationSettings.LOG_CHANNEL);
        return new NotificationSettings(
                channels,
                new RoutingRules(routes, byDefault),
                new QuietTimes(root.list("quietTimes").stream()
                        .map(NotificationSettingsReader::readWindow)
                        .toList()),
                root.child("folding")
                        .map(NotificationSettingsReader::readFolding)
                        .orElse(FoldingPolicy.DEFAULT),
                root.child("retryPolicy")
                        .map(NotificationSettingsReader::readRetryPolicy)
                        .orElse(DeliveryRetryPolicy.DEFAULT));
    }

    private static String checkName(String name) {
        if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "channels: a name has characters other than lower case letters, digits and -, or is too long");
        }
        return name;
    }

    private List<String> channels(SettingsNode node, String key) {
        List<String> names = node.texts(key);
        names.stream().filter(name -> !channels.containsKey(name)).findFirst().ifPresent(name -> {
            throw node.invalid(key, "names the channel %s, which is not configured".formatted(name));
        });
        return names;
    }

    private Route readRoute(SettingsNode node) {
        node.requireOnly("match", "channels", "continue");
        RouteMatcher matcher =
                node.child("match").map(NotificationSettingsReader::readMatcher).orElse(RouteMatcher.ALL);
        if (!node.has("channels")) {
            throw node.invalid("channels", "is missing: add it, [] to send nothing");
        }
        return new Route(
                matcher, channels(node, "channels"), node.flag("continue").orElse(false));
    }

    private static RouteMatcher readMatcher(SettingsNode node) {
        node.requireOnly("eventType", "reason", "severity", "kind", "namespace", "target", "workflow");
        return new RouteMatcher(
                Set.copyOf(node.texts("eventType")),
                Set.copyOf(node.texts("reason")),
                severities(node, "severity"),
                Set.copyOf(node.texts("kind")),
                Set.copyOf(node.texts("namespace")),
                Set.copyOf(node.texts("target")),
                Set.copyOf(node.texts("workflow")));
    }

    private static Set<NotificationSeverity> severities(SettingsNode node, String key) {
        return node.texts(key).stream()
                .map(text -> node.parse(
                        key,
                        text,
                        value -> NotificationSeverity.find(value)
                                .orElseThrow(
                                        () -> new IllegalArgumentException("it must be info, warning or critical"))))
                .collect(Collectors.toSet());
    }

    private static QuietWindow readWindow(SettingsNode node) {
        node.requireOnly("days", "from", "to", "zone", "severities");
        Set<DayOfWeek> days = node.texts("days").stream()
                .map(text -> node.parse("days", text, NotificationSettingsReader::parseDay))
                .collect(Collectors.toSet());
        return new QuietWindow(
                days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days,
                node.parse("from", node.requiredText("from"), NotificationSettingsReader::parseTime),
                node.parse("to", node.requiredText("to"), NotificationSettingsReader::parseTime),
                node.parse("zone", node.text("zone").orElse("UTC"), ZoneId::of),
                node.has("severities") ? severities(node, "severities") : QUIET_BY_DEFAULT);
    }

    private static DayOfWeek parseDay(String text) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().substring(0, 3).equals(text.toUpperCase(Locale.ROOT))) {
                return day;
            }
        }
        throw new IllegalArgumentException("it must be one of mon, tue, wed, thu, fri, sat, sun");
    }

    /** Accepts 24:00 as the end of the day. */
    private static LocalTime parseTime(String text) {
        if (!text.matches("([01]\\d|2[0-3]):[0-5]\\d|24:00")) {
            throw new IllegalArgumentException("it must be a time such as 22:00, in quotes");
        }
        return text.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(text);
    }

    private static FoldingPolicy readFolding(SettingsNode node) {
        node.requireOnly("window", "perTarget", "overall");
        FoldingPolicy defaults = FoldingPolicy.DEFAULT;
        return new FoldingPolicy(
                node.duration("window").orElse(defaults.window()),
                node.wholeNumber("perTarget").orElse(defaults.perTarget()),
                node.wholeNumber("overall").orElse(defaults.overall()));
    }

    private static DeliveryRetryPolicy readRetryPolicy(SettingsNode node) {
        node.requireOnly("maxAttempts", "initialBackoffSeconds", "backoffMultiplier", "maxBackoffSeconds");
        DeliveryRetryPolicy defaults = DeliveryRetryPolicy.DEFAULT;
        return new DeliveryRetryPolicy(
                node.wholeNumber("maxAttempts").orElse(defaults.maxAttempts()),
                node.wholeNumber("initialBackoffSeconds")
                        .map(Duration::ofSeconds)
                        .orElse(defaults.initialBackoff()),
                node.text("backoffMultiplier")
                        .map(text -> node.parse("backoffMultiplier", text, Double::parseDouble))
                        .orElse(defaults.multiplier()),
                node.wholeNumber("maxBackoffSeconds").map(Duration::ofSeconds).orElse(defaults.maxBackoff()));
    }
}
