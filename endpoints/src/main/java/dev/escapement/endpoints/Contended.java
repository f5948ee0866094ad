package dev.escapement.endpoints;

/** Others were there in between again and again. Nothing was changed, and the next try may well succeed. */
public final class Contended extends RuntimeException {

    Contended(String what) {
        super(what + " changes all the time, and nothing was changed: try again", null, false, false);
    }
}
