package dev.escapement.architecture.offenders;

/** Polls. */
public final class Sleeps {

    private Sleeps() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(1);
    }
}
