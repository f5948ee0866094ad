package dev.escapement.architecture.offenders;

/** Polls. */
public final class SleepOffender {

    private SleepOffender() {}

    static void sleep() throws InterruptedException {
        Thread.sleep(1);
    }
}
