package dev.escapement.cli.command.endpoint;

import dev.escapement.server.document.DocumentPositionListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Records the line of each field of a document, by its path: {@code items.3.headers.Accept}. */
final class LineIndex implements DocumentPositionListener {

    private final Deque<String> path = new ArrayDeque<>();
    private final Map<String, Integer> lines = new HashMap<>();

    Map<String, Integer> lines() {
        return lines;
    }

    @Override
    public void enter(Object segment, int line) {
        String parent = path.isEmpty() ? "" : path.peek() + ".";
        path.push(parent + segment);
        lines.putIfAbsent(path.peek(), line);
    }

    @Override
    public void leave() {
        path.pop();
    }
}
