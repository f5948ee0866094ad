package dev.escapement.governor.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each distinct value a small number, so that a world of values is a handful of ints. */
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
