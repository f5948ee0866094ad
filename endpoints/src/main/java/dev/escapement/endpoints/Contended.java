package dev.escapement.endpoints;

/** Somebody else was there in between. Nothing was changed, and the next try may well succeed. */
public final class Contended extends RuntimeException {

    Contended(String what) {
        super(what + ", and nothing was changed: try again", null, false, false);
    }
}
