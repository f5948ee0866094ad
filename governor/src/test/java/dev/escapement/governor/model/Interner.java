package dev.escapement.governor.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each distinct value a small number, so that a world of values is a handful of ints. */
final class Interner<T> {

    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int number(T value) {
        return numbers.computeIfAbsent(value, fresh -> {
            values.add(fresh);
            return values.size() - 1;
        });
    }

    T value(int number) {
        return values.get(number);
    }
}
