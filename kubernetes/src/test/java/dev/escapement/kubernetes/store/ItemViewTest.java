package dev.escapement.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What we wrote ourselves is seen at once, and what the watch tells later is never hidden by it. */
class ItemViewTest {

    private static final String KEY = "ops/one";

    private final ItemView<ConfigMap> view = new ItemView<>();

    private static ConfigMap object(String uid, int version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ops")
                .withName("one")
                .withUid(uid)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .build();
    }

    private Optional<String> shown() {
        Optional<String> got =
                view.get("ops", "one").map(object -> object.getMetadata().getResourceVersion());
        List<String> listed = view.all()
                .map(object -> object.getMetadata().getResourceVersion())
                .toList();
        assertThat(listed).isEqualTo(got.stream().toList());
        return got;
    }

    @Test
    void anOwnWriteIsSeenBeforeTheWatchTellsOfIt() {
        view.learned(object("a", 5));
        assertThat(shown()).hasValue("5");
        view.put(KEY, object("a", 4));
        assertThat(shown()).hasValue("5");
        view.put(KEY, object("a", 6));
        assertThat(shown()).hasValue("6");
    }

    @Test
    void anAnswerThatComesLateDoesNotHideWhatTheWatchHasTold() {
        view.put(KEY, object("a", 7));
        view.learned(object("a", 5));
        assertThat(shown()).hasValue("7");
    }

    @Test
    void whatWasRemovedIsGoneBeforeTheWatchTellsOfIt() {
        view.put(KEY, object("a", 5));
        view.absent("ops", "one");
        assertThat(shown()).isEmpty();
        view.put(KEY, object("b", 9));
        assertThat(shown()).hasValue("9");
    }

    @Test
    void aDeletionThatTheWatchTellsEndsAnOwnWrite() {
        view.put(KEY, object("a", 4));
        view.learned(object("a", 5));
        view.remove(KEY);
        assertThat(shown()).isEmpty();
    }

    @Test
    void anAnswerThatComesAfterTheDeletionBringsNothingBack() {
        view.put(KEY, object("a", 4));
        view.remove(KEY);
        view.learned(object("a", 5));
        assertThat(shown()).isEmpty();
        view.learned(object("b", 8));
        assertThat(shown()).hasValue("8");
    }

    @Test
    void whoeverListensHearsAlsoOfADeletionThatTheWatchHasMissed() {
        List<String> changed = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        view.onChange(object -> changed.add(object.getMetadata().getUid()));
        view.onDelete(object -> deleted.add(object.getMetadata().getUid()));
        view.put(KEY, object("a", 4));
        view.put(KEY, object("b", 9));
        assertThat(deleted).containsExactly("a");
        assertThat(changed).containsExactly("a", "b");
        view.remove(KEY);
        assertThat(deleted).containsExactly("a", "b");
    }
}
