package dev.escapement.server.http.access;

import java.util.EnumSet;
import java.util.Set;

/**
 * Who sends a request.
 *
 * @param proven whether the name is certain: it belongs to a token of its own, or a trusted proxy has checked it. If
 *     not, several people share one token, or there is none, and each request may name somebody.
 */
public record Caller(String name, Set<Right> rights, boolean proven) {

    /** Attribute of the request that has its caller. */
    public static final String ATTRIBUTE = Caller.class.getName();

    /** The caller of a server without authentication. */
    static final Caller ANONYMOUS = new Caller("anonymous", Right.allOfPeople(), false);

    /** The caller of an open path without a token. */
    static final Caller UNKNOWN = new Caller("unknown", Set.of(), false);

    public Caller {
        rights = Set.copyOf(rights);
    }

    public boolean may(Right right) {
        return rights.contains(right) || (right != Right.PROXY && rights.contains(Right.ADMIN));
    }

    /** Returns the rights in their order, {@code admin} with all that it includes. */
    public Set<Right> effectiveRights() {
        Set<Right> effective = EnumSet.allOf(Right.class);
        effective.removeIf(right -> !may(right));
        return effective;
    }

    /** Returns the person for whom a trusted proxy sends a request with its own token. */
    Caller actingFor(String person) {
        Set<Right> delegated = EnumSet.allOf(Right.class);
        delegated.removeIf(right -> right == Right.PROXY || !rights.contains(right));
        return new Caller(person, delegated, true);
    }
}
