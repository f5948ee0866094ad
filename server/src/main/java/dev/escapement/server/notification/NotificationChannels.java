package dev.escapement.server.notification;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.guard.GuardedAddressResolver;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.notifications.channel.AddressGuard;
import dev.escapement.notifications.channel.ChannelContext;
import dev.escapement.notifications.channel.HttpPoster;
import dev.escapement.notifications.config.NotificationSettings;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.DeliverySetup;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.notifications.folding.NotificationPlanner;
import dev.escapement.server.BuildInfo;
import dev.escapement.server.CloseStack;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.metrics.NotificationMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The channels and routes of the notifications file, with their HTTP client. A change of the file takes effect with the
 * next notification. Thread-safe.
 */
public final class NotificationChannels implements AutoCloseable {

    /** How many notifications are sent at the same time. */
    public static final int CONCURRENCY = 8;

    /** Of these, how many to the same channel: two channels that hang leave senders for the others. */
    public static final int MAX_PER_CHANNEL = 3;

    /** What a channel may take beyond its timeout. */
    private static final Duration SEND_MARGIN = Duration.ofSeconds(1);

    private static final Duration LEASE_MARGIN = Duration.ofSeconds(5);

    private static final int MAX_RESPONSE_BYTES = 64 << 10;
    private static final int MAX_EXCERPT_CHARS = 200;

    private final CloseStack closeStack = new CloseStack();
    private final AtomicInteger ownPort;
    private final ChannelContext context;
    private final Duration timeout;
    private final String pageUrl;
    private volatile DeliverySetup setup;
    private volatile NotificationPlanner planner;

    /** Opens the channels and watches the file, if there is one. */
    public NotificationChannels(Settings settings, NotificationMetrics metrics, InstantSource clock) {
        NotificationsSource source = settings.get(SettingsTable.NOTIFICATIONS_FILE);
        this.ownPort = new AtomicInteger(settings.get(SettingsTable.PORT));
        this.timeout = settings.get(SettingsTable.NOTIFICATIONS_TIMEOUT);
        this.pageUrl = settings.get(SettingsTable.NOTIFICATIONS_PAGE_URL);
        this.context =
                new ChannelContext(openPoster(settings, clock), openAddressGuard(settings, timeout), timeout, clock);
        this.setup = createSetup(source.settings());
        this.planner = source.settings().planner(pageUrl);
        metrics.registerChannels(setup.channels().keySet());
        metrics.registerFileValidity(watch(source, metrics));
    }

    private DeliverySetup createSetup(NotificationSettings configured) {
        Map<String, NotificationChannel> channels = new TreeMap<>();
        configured.channels().forEach((name, channel) -> channels.put(name, channel.open(context)));
        // A lookup and the call have a timeout each.
        Duration longest = timeout.multipliedBy(2).plus(SEND_MARGIN);
        return new DeliverySetup(channels, LEASE_MARGIN.plus(longest.multipliedBy(channels.size())));
    }

    /** Applies changes of the file; returns whether the file that is there now is in use. */
    private BooleanSupplier watch(NotificationsSource source, NotificationMetrics metrics) {
        if (source.file().isEmpty()) {
            return () -> true;
        }
        try {
            NotificationsFileWatcher watcher =
                    closeStack.add(new NotificationsFileWatcher(source.file().get(), changed -> {
                        DeliverySetup next = createSetup(changed);
                        metrics.registerChannels(next.channels().keySet());
                        // The channels first: nothing may be routed to one that is not there yet.
                        setup = next;
                        planner = changed.planner(pageUrl);
                    }));
            return watcher::isValid;
        } catch (IOException unwatchable) {
            throw new UncheckedIOException("the folder of the notifications file cannot be watched", unwatchable);
        }
    }

    private HttpPoster openPoster(Settings settings, InstantSource clock) {
        DispatchLimits defaults = DispatchLimits.defaults(BuildInfo.version());
        DispatchLimits limits = new DispatchLimits(
                CONCURRENCY,
                defaults.maxQueuedPerHost(),
                defaults.keepAlive(),
                MAX_RESPONSE_BYTES,
                MAX_EXCERPT_CHARS,
                2 * CONCURRENCY,
                defaults.userAgent());
        return closeStack.add(new LazyHttpPoster(
                () -> HttpCallDispatcher.open(limits, allowList(settings), DnsResolver.system(), clock), timeout));
    }

    private AddressGuard openAddressGuard(Settings settings, Duration timeout) {
        DnsResolverPool dnsPool = closeStack.add(new DnsResolverPool(DnsResolver.system(), CONCURRENCY));
        return new AllowListGuard(new GuardedAddressResolver(allowList(settings), dnsPool), timeout);
    }

    private AllowList allowList(Settings settings) {
        return settings.get(SettingsTable.NOTIFICATIONS_ALLOW).withOwnPort(ownPort::get);
    }

    /** Returns the channels of this moment. */
    public DeliverySetup setup() {
        return setup;
    }

    /** Returns the routes of this moment. */
    public NotificationPlanner planner() {
        return planner;
    }

    /** Returns the names of the channels of this moment. */
    public SortedSet<String> names() {
        return new TreeSet<>(setup.channels().keySet());
    }

    /** Denies channels the port that the HTTP server got, if it was chosen by the system. */
    public void denyOwnPort(int port) {
        ownPort.set(port);
    }

    /** Sends a test notification to a channel, once, without storing it. */
    public Optional<DeliveryResult> sendTest(String channel, String actor, Instant now) {
        return Optional.ofNullable(setup.channels().get(channel))
                .map(found -> found.send(testNotification(channel, actor, now)));
    }

    private static NotificationRequest testNotification(String channel, String actor, Instant now) {
        NotificationRequestSpec spec = new NotificationRequestSpec(
                "NotificationTest",
                "info",
                "Test of channel " + channel,
                "What: a test that %s requested\nTo do: nothing; this channel works".formatted(actor),
                null,
                List.of(channel),
                null,
                null,
                Map.of());
        ObjectMetadata metadata = new ObjectMetadata(
                "nr-test-" + now.toEpochMilli(),
                null,
                null,
                null,
                now.toString(),
                null,
                null,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        return NotificationRequest.of(metadata, spec, null);
    }

    @Override
    public void close() {
        closeStack.close();
    }
}
