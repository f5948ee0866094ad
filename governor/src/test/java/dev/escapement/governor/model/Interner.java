package dev.escapement.governor.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers distinct values, so that a state consists of a few ints. */
final class Interner<T> {

    private final Map<T, Integer> indexes = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int indexOf(T value) {
        return indexes.computeIfAbsent(value, fresh -> {
            values.add(fresh);
            return values.size() - 1;
        });
    }

    T valueAt(int number) {
        return values.get(number);
    }
}
