package dev.escapement.server.config;

import java.util.List;

/** Settings that cannot be used. The message lists everything that is wrong, so that one look is enough. */
public final class SettingsException extends IllegalArgumentException {

    private final transient List<String> problems;

    SettingsException(List<String> problems) {
        super(
                problems.size() == 1
                        ? problems.get(0)
                        : problems.size() + " settings cannot be used:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each on its own: setting, origin, value and rule. */
    public List<String> problems() {
        return problems;
    }
}
