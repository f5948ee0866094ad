package dev.escapement.notifications.store;

import dev.escapement.common.Json;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.notifications.folding.FoldGroup;
import dev.escapement.notifications.folding.FoldState;
import dev.escapement.notifications.message.NotificationSeverity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The JSON form of a {@link FoldState}. */
public record StoredWindow(
        String type,
        String severity,
        String reason,
        String target,
        long generation,
        String windowStart,
        String windowEnd,
        long single,
        long folded,
        String firstAt,
        String lastAt,
        Map<String, Long> counts,
        List<String> channels) {

    public static String write(FoldState state) {
        FoldGroup group = state.group();
        return Json.write(new StoredWindow(
                group.type().name(),
                group.severity().name(),
                group.reason(),
                group.target(),
                state.generation(),
                state.windowStart().toString(),
                state.windowEnd().toString(),
                state.single(),
                state.folded(),
                state.firstAt().toString(),
                state.lastAt().toString(),
                state.counts(),
                List.copyOf(state.channels())));
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws IllegalArgumentException or another exception at run time if the text is something else
     */
    public static FoldState read(String document) {
        return Json.read(document, StoredWindow.class).toState();
    }

    private FoldState toState() {
        return new FoldState(
                new FoldGroup(TransitionType.valueOf(type), NotificationSeverity.valueOf(severity), reason, target),
                generation,
                Instant.parse(windowStart),
                Instant.parse(windowEnd),
                single,
                folded,
                Instant.parse(firstAt),
                Instant.parse(lastAt),
                new TreeMap<>(counts),
                new TreeSet<>(channels));
    }
}
