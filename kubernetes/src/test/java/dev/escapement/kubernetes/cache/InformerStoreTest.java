package dev.escapement.kubernetes.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Own writes are visible at once and never hide a newer version from the watch. */
class InformerStoreTest {

    private static final String KEY = "ops/one";

    private final InformerStore<ConfigMap> store = new InformerStore<>();

    private static ConfigMap newConfigMap(String uid, int version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ops")
                .withName("one")
                .withUid(uid)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .build();
    }

    private Optional<String> cachedVersion() {
        Optional<String> got =
                store.get("ops", "one").map(object -> object.getMetadata().getResourceVersion());
        List<String> listed = store.all()
                .map(object -> object.getMetadata().getResourceVersion())
                .toList();
        assertThat(listed).isEqualTo(got.stream().toList());
        return got;
    }

    @Test
    void showsOwnWriteBeforeWatch() {
        store.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).hasValue("5");
        store.put(KEY, newConfigMap("a", 4));
        assertThat(cachedVersion()).hasValue("5");
        store.put(KEY, newConfigMap("a", 6));
        assertThat(cachedVersion()).hasValue("6");
    }

    @Test
    void keepsNewerWatchedVersionOverLateResponse() {
        store.put(KEY, newConfigMap("a", 7));
        store.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).hasValue("7");
    }

    @Test
    void hidesDeletedObjectBeforeWatch() {
        store.put(KEY, newConfigMap("a", 5));
        store.recordAbsent("ops", "one");
        assertThat(cachedVersion()).isEmpty();
        store.put(KEY, newConfigMap("b", 9));
        assertThat(cachedVersion()).hasValue("9");
    }

    @Test
    void dropsOwnWriteOnWatchedDeletion() {
        store.put(KEY, newConfigMap("a", 4));
        store.recordLatest(newConfigMap("a", 5));
        store.remove(KEY);
        assertThat(cachedVersion()).isEmpty();
    }

    @Test
    void ignoresResponseAfterDeletion() {
        store.put(KEY, newConfigMap("a", 4));
        store.remove(KEY);
        store.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).isEmpty();
        store.recordLatest(newConfigMap("b", 8));
        assertThat(cachedVersion()).hasValue("8");
    }

    @Test
    void notifiesDeletionMissedByWatch() {
        List<String> changed = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        store.onChange(object -> changed.add(object.getMetadata().getUid()));
        store.onDelete(object -> deleted.add(object.getMetadata().getUid()));
        store.put(KEY, newConfigMap("a", 4));
        store.put(KEY, newConfigMap("b", 9));
        assertThat(deleted).containsExactly("a");
        assertThat(changed).containsExactly("a", "b");
        store.remove(KEY);
        assertThat(deleted).containsExactly("a", "b");
    }
}
