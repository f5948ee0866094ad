package dev.escapement.server.http.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the owner of a token may do. */
public enum Right {
    /** Read everything: executions, targets, endpoints, events, metrics. */
    VIEW,
    /** Create and cancel executions; run, pause and resume endpoints and give them hints. */
    RUN,
    /** Lift what blocks a target or slows down an endpoint; delete executions, which does the same. */
    CLEAR,
    /** Create, change and archive endpoints. Includes all other rights of people. */
    ADMIN,
    /** Name the person who sends a request: only for the token of a proxy. Not part of any other right. */
    PROXY;

    /** Returns the right of a word in a tokens file. */
    public static Optional<Right> parse(String word) {
        return Arrays.stream(values())
                .filter(right -> right.toString().equals(word))
                .findFirst();
    }

    /** Returns the word of the tokens file. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the words of several rights, separated by commas. */
    public static String format(Set<Right> rights) {
        return rights.stream().map(Right::toString).collect(Collectors.joining(", "));
    }

    /** Returns every right that a person can have. */
    static Set<Right> allOfPeople() {
        return EnumSet.complementOf(EnumSet.of(PROXY));
    }
}
