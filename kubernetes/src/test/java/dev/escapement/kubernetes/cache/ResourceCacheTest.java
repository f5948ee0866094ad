package dev.escapement.kubernetes.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Own writes are visible at once and never hide a newer version from the watch. */
class ResourceCacheTest {

    private static final String KEY = "ops/one";

    private final ResourceCache<ConfigMap> cache = new ResourceCache<>(
            UnaryOperator.identity(), object -> object.getMetadata().getUid());

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
                cache.get("ops", "one").map(object -> object.getMetadata().getResourceVersion());
        List<String> listed = cache.all()
                .map(object -> object.getMetadata().getResourceVersion())
                .toList();
        assertThat(listed).isEqualTo(got.stream().toList());
        return got;
    }

    @Test
    void showsOwnWriteBeforeWatch() {
        cache.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).hasValue("5");
        cache.put(KEY, newConfigMap("a", 4));
        assertThat(cachedVersion()).hasValue("5");
        cache.put(KEY, newConfigMap("a", 6));
        assertThat(cachedVersion()).hasValue("6");
    }

    @Test
    void keepsNewerWatchedVersionOverLateResponse() {
        cache.put(KEY, newConfigMap("a", 7));
        cache.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).hasValue("7");
    }

    @Test
    void hidesDeletedObjectBeforeWatch() {
        cache.put(KEY, newConfigMap("a", 5));
        cache.recordAbsent("ops", "one");
        assertThat(cachedVersion()).isEmpty();
        cache.put(KEY, newConfigMap("b", 9));
        assertThat(cachedVersion()).hasValue("9");
    }

    @Test
    void dropsOwnWriteOnWatchedDeletion() {
        cache.put(KEY, newConfigMap("a", 4));
        cache.recordLatest(newConfigMap("a", 5));
        cache.remove(KEY);
        assertThat(cachedVersion()).isEmpty();
    }

    @Test
    void ignoresResponseAfterDeletion() {
        cache.put(KEY, newConfigMap("a", 4));
        cache.remove(KEY);
        cache.recordLatest(newConfigMap("a", 5));
        assertThat(cachedVersion()).isEmpty();
        cache.recordLatest(newConfigMap("b", 8));
        assertThat(cachedVersion()).hasValue("8");
    }

    @Test
    void notifiesDeletionMissedByWatch() {
        List<String> changed = new ArrayList<>();
        List<String> deleted = new ArrayList<>();
        cache.onAdd(object -> changed.add(object.getMetadata().getUid()));
        cache.onDelete(object -> deleted.add(object.getMetadata().getUid()));
        cache.put(KEY, newConfigMap("a", 4));
        cache.put(KEY, newConfigMap("b", 9));
        assertThat(deleted).containsExactly("a");
        assertThat(changed).containsExactly("a", "b");
        cache.remove(KEY);
        assertThat(deleted).containsExactly("a", "b");
    }

    @Test
    void hidesOwnDeletionThatWatchDeliversLate() {
        cache.recordLatest(newConfigMap("a", 5));
        cache.recordDeleted(newConfigMap("a", 5));
        assertThat(cachedVersion()).isEmpty();
        cache.put(KEY, newConfigMap("a", 6));
        assertThat(cachedVersion()).isEmpty();
        cache.put(KEY, newConfigMap("b", 9));
        assertThat(cachedVersion()).hasValue("9");
    }

    /** A label that was removed and added again is a deletion and an addition to a watch with a selector. */
    @Test
    void showsObjectThatWatchDeliversAgain() {
        cache.put(KEY, newConfigMap("a", 4));
        cache.remove(KEY);
        cache.put(KEY, newConfigMap("a", 6));
        assertThat(cachedVersion()).hasValue("6");
    }

    @Test
    void findsOnlyObjectOfUid() {
        cache.put(KEY, newConfigMap("b", 9));
        assertThat(cache.get("ops", "one", "b")).isPresent();
        assertThat(cache.get("ops", "one", "a")).isEmpty();
    }

    @Test
    void findsByOwnerUntilDeletion() {
        cache.recordLatest(newConfigMap("a", 5));
        assertThat(cache.findByOwner("a")).hasSize(1);
        cache.put(KEY, newConfigMap("a", 5));
        assertThat(cache.findByOwner("a")).hasSize(1);
        cache.put(KEY, newConfigMap("b", 9));
        assertThat(cache.findByOwner("a")).isEmpty();
        assertThat(cache.findByOwner("b")).hasSize(1);
        cache.recordDeleted(newConfigMap("b", 9));
        assertThat(cache.findByOwner("b")).isEmpty();
    }

    @Test
    void notifiesUpdateWithObjectBefore() {
        List<String> updates = new ArrayList<>();
        cache.onUpdate((before, after) -> updates.add(before.getMetadata().getResourceVersion() + " "
                + after.getMetadata().getResourceVersion()));
        cache.put(KEY, newConfigMap("a", 4));
        cache.put(KEY, newConfigMap("a", 6));
        assertThat(updates).containsExactly("4 6");
    }
}
