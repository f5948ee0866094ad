package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CopiesTest {

    @Test
    void copiesInOrderWithNulls() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", null);
        Map<String, Object> copy = Copies.map(map);
        map.clear();
        assertThat(copy.keySet()).containsExactly("z", "a");
        assertThatThrownBy(() -> copy.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
        List<String> list = new ArrayList<>(List.of("b", "a"));
        List<String> copied = Copies.list(list);
        list.clear();
        assertThat(copied).containsExactly("b", "a");
        assertThatThrownBy(() -> copied.add("x")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void returnsEmptyForNull() {
        assertThat(Copies.map(null)).isEmpty();
        assertThat(Copies.list(null)).isEmpty();
    }
}
