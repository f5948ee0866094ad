package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BoundedMapTest {

    @Test
    void removesWhatWasAddedFirst() {
        BoundedMap<String, Integer> map = new BoundedMap<>(2);
        map.put("a", 1);
        map.put("b", 2);
        assertThat(map.get("a")).isEqualTo(1);
        map.put("c", 3);
        assertThat(map).containsOnlyKeys("b", "c");
    }

    @Test
    void refusesSizeBelowOne() {
        assertThatThrownBy(() -> new BoundedMap<>(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxSize is 0: must be at least 1");
    }
}
