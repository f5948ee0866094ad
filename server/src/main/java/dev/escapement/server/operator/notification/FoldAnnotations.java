package dev.escapement.server.operator.notification;

import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.folding.FoldState;
import dev.escapement.notifications.store.StoredWindow;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Annotations with the state of folding. What a notification changes is stored with it, in one write: the windows of
 * its groups, and in a summary also which transitions it counts. So after a crash everything follows from the stored
 * notifications.
 */
final class FoldAnnotations {

    static final String WINDOWS = "kubernaut.ai/fold-windows";
    static final String COUNTED = "kubernaut.ai/counted-transitions";

    /** Annotations have at most 256 KiB together. */
    static final int MAX_COUNTED = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(FoldAnnotations.class);
    private static final int KEY_BYTES = 6;
    private static final int KEY_LENGTH = 8;
    private static final String NAME_PREFIX = "nr-";

    /** The newest state of a group: a later window, or more in the same one. */
    private static final Comparator<FoldState> BY_PROGRESS = Comparator.comparing(FoldState::windowStart)
            .thenComparing(FoldState::generation)
            .thenComparing(state -> state.single() + state.folded());

    private FoldAnnotations() {}

    /** Returns a short key of a transition, from the name of its notification. */
    static String keyOf(String name) {
        String digest = name.substring(NAME_PREFIX.length(), NAME_PREFIX.length() + 2 * KEY_BYTES);
        return Base64.getUrlEncoder().encodeToString(HexFormat.of().parseHex(digest));
    }

    static String writeWindows(Collection<FoldState> states) {
        return states.stream().map(StoredWindow::write).collect(Collectors.joining("\n"));
    }

    /** Returns the newest window of each group, by id of the group. */
    static Map<String, FoldState> readWindows(Stream<NotificationRequestResource> notifications) {
        Map<String, FoldState> windows = new HashMap<>();
        notifications
                .flatMap(resource -> resource.annotation(WINDOWS).stream()
                        .flatMap(String::lines)
                        .flatMap(line -> readWindow(resource, line)))
                .forEach(state ->
                        windows.merge(state.group().id(), state, (a, b) -> BY_PROGRESS.compare(a, b) >= 0 ? a : b));
        return windows;
    }

    /** A person may have changed the annotation: without it, more is sent one by one. */
    private static Stream<FoldState> readWindow(NotificationRequestResource resource, String line) {
        try {
            return Stream.of(StoredWindow.read(line));
        } catch (RuntimeException invalid) {
            LOG.warn(
                    "Notification {} has an invalid annotation {}, which is ignored",
                    resource.getMetadata().getName(),
                    WINDOWS);
            return Stream.empty();
        }
    }

    /** Returns the keys of the transitions that a summary counts; empty for other notifications. */
    static Set<String> readCounted(NotificationRequestResource summary) {
        String text = summary.annotation(COUNTED).orElse("");
        Set<String> keys = new LinkedHashSet<>();
        for (int i = 0; i + KEY_LENGTH <= text.length(); i += KEY_LENGTH) {
            keys.add(text.substring(i, i + KEY_LENGTH));
        }
        return keys;
    }

    static String writeCounted(Collection<String> keys) {
        return String.join("", keys);
    }
}
