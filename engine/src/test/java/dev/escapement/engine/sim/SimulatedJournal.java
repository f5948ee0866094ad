package dev.escapement.engine.sim;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

final class SimulatedJournal implements Journal {

    final List<Transition> transitions = new ArrayList<>();
    private final List<Runnable> subscribers = new ArrayList<>();

    void append(Transition transition) {
        transitions.add(transition);
        List.copyOf(subscribers).forEach(Runnable::run);
    }

    @Override
    public List<Entry> read(String after, int limit) {
        int from = after.equals(START) ? 0 : parsePosition(after);
        return IntStream.range(from, Math.min(transitions.size(), from + limit))
                .mapToObj(i -> new Entry(Integer.toString(i + 1), transitions.get(i)))
                .toList();
    }

    private static int parsePosition(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException invalid) {
            throw new IllegalArgumentException("\"" + text + "\" is not a position of this journal", invalid);
        }
    }

    @Override
    public String endPosition() {
        return Integer.toString(transitions.size());
    }

    @Override
    public Subscription onAppend(Runnable callback) {
        subscribers.add(callback);
        return () -> subscribers.remove(callback);
    }
}
