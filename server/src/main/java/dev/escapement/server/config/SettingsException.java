package dev.escapement.server.config;

import java.util.List;

/** Invalid settings. The message lists all problems. */
public final class SettingsException extends IllegalArgumentException {

    private final transient List<String> problems;

    SettingsException(List<String> problems) {
        super(
                problems.size() == 1
                        ? problems.get(0)
                        : problems.size() + " settings are invalid:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems; each names setting, origin, value and rule. */
    public List<String> problems() {
        return problems;
    }
}
