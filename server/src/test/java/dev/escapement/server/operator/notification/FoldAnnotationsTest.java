package dev.escapement.server.operator.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.journal.TransitionType;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.notifications.folding.FoldGroup;
import dev.escapement.notifications.folding.FoldState;
import dev.escapement.notifications.message.NotificationName;
import dev.escapement.notifications.message.NotificationSeverity;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FoldAnnotationsTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final FoldGroup GROUP =
            new FoldGroup(TransitionType.WorkflowSkipped, NotificationSeverity.INFO, "ResourceBusy", "node/a");

    private static FoldState window(Instant start, long single, long folded) {
        return new FoldState(
                GROUP, 1, start, start.plusSeconds(60), single, folded, start, start, new TreeMap<>(), new TreeSet<>());
    }

    private static NotificationRequestResource withAnnotations(Map<String, String> annotations) {
        NotificationRequestResource resource = new NotificationRequestResource();
        resource.setMetadata(new ObjectMetaBuilder()
                .withName("nr-1")
                .withAnnotations(annotations)
                .build());
        return resource;
    }

    private static NotificationRequestResource withWindows(FoldState... states) {
        return withAnnotations(Map.of(FoldAnnotations.WINDOWS, FoldAnnotations.writeWindows(List.of(states))));
    }

    @Test
    void newestStateOfAGroupIsReadWhateverTheOrder() {
        FoldState first = window(START, 1, 0);
        FoldState second = window(START, 2, 0);
        FoldState folded = window(START, 2, 7);
        FoldState later = window(START.plusSeconds(90), 1, 0);
        assertThat(FoldAnnotations.readWindows(Stream.of(withWindows(second), withWindows(folded), withWindows(first))))
                .containsExactly(Map.entry(GROUP.id(), folded));
        assertThat(FoldAnnotations.readWindows(Stream.of(withWindows(later, folded), withWindows(first))))
                .containsExactly(Map.entry(GROUP.id(), later));
    }

    @Test
    void annotationsChangedByAPersonAreIgnored() {
        var broken =
                withAnnotations(Map.of(FoldAnnotations.WINDOWS, "{\"type\": 1}\nx", FoldAnnotations.COUNTED, "abc"));
        assertThat(FoldAnnotations.readWindows(Stream.of(broken, withAnnotations(Map.of()))))
                .isEmpty();
        assertThat(FoldAnnotations.readCounted(broken)).isEmpty();
    }

    @Test
    void keysOfAFullSummaryFitIntoAnnotations() {
        Set<String> keys = new LinkedHashSet<>();
        for (int i = 0; i < FoldAnnotations.MAX_COUNTED; i++) {
            keys.add(FoldAnnotations.keyOf(NotificationName.ofSummary("g", START, i)));
        }
        String text = FoldAnnotations.writeCounted(keys);
        assertThat(text.length()).isLessThan(200 << 10);
        assertThat(FoldAnnotations.readCounted(withAnnotations(Map.of(FoldAnnotations.COUNTED, text))))
                .isEqualTo(keys)
                .hasSize(FoldAnnotations.MAX_COUNTED);
    }
}
