package dev.escapement.governor.plan;

/** What decided the time of a run. For candidates of the same instant, the first in this order wins. */
public enum RunSource {
    /** The interval of the baseline, healthy. */
    BASELINE_INTERVAL("baseline interval"),
    /** The cron expression of the baseline, healthy or not. */
    BASELINE_CRON("baseline cron"),
    /** The interval of the baseline, stretched while runs fail. */
    BACKOFF("backoff"),
    /** A hint for another interval. */
    HINT_INTERVAL("interval hint"),
    /** A hint for one run. */
    HINT_ONE_SHOT("one-shot hint"),
    /** The end of a pause. */
    PAUSE("pause");

    private final String description;

    RunSource(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }
}
