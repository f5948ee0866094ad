package dev.escapement.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the image of a container says about what happens to it. */
sealed interface SimulatedImage {

    /** Runs for a while and ends. */
    record Ends(int exitCode, String reason, Duration after) implements SimulatedImage {}

    /** Runs until the pod goes. */
    record Hangs() implements SimulatedImage {}

    /** Runs until somebody writes on the pod how it ends. */
    record Waits() implements SimulatedImage {}

    /** Cannot be pulled. */
    record PullFailure(String message) implements SimulatedImage {}

    /** The pod finds no node. */
    record NeverScheduled() implements SimulatedImage {}

    /** Where the images would be if there were any. */
    String REGISTRY = "simulated.local/";

    Pattern IMAGE = Pattern.compile("simulated\\.local/(?<name>[a-z-]+)(:(?<tag>[A-Za-z0-9._-]+))?(@.*)?");
    Pattern TIME = Pattern.compile("(?<amount>[0-9]{1,6})(?<unit>ms|s|m)");

    int KILLED = 137;

    static SimulatedImage of(String image) {
        Matcher parts = IMAGE.matcher(image);
        if (!parts.matches()) {
            return unknown(image);
        }
        Optional<String> tag = Optional.ofNullable(parts.group("tag"));
        return switch (parts.group("name")) {
            case "succeed" ->
                duration(tag.orElse("latest"))
                        .<SimulatedImage>map(after -> new Ends(0, "Completed", after))
                        .orElseGet(() -> new Ends(0, "Completed", Duration.ZERO));
            case "exit", "oom" ->
                ending(parts.group("name") + tag.map(text -> ":" + text).orElse(""))
                        .orElseGet(() -> unknown(image));
            case "hang" -> new Hangs();
            case "wait" -> new Waits();
            case "pull-failure" ->
                new PullFailure("failed to pull and unpack image \"%s\": not found (simulated)".formatted(image));
            case "never-scheduled" -> new NeverScheduled();
            default -> unknown(image);
        };
    }

    /** The end that an image or an annotation asks for: {@code succeed}, {@code exit:3} or {@code oom}. */
    static Optional<SimulatedImage> ending(String text) {
        if (text.equals("succeed")) {
            return Optional.of(new Ends(0, "Completed", Duration.ZERO));
        }
        if (text.equals("oom") || text.startsWith("oom:")) {
            return Optional.of(new Ends(KILLED, "OOMKilled", Duration.ZERO));
        }
        if (text.matches("exit:[0-9]{1,3}")) {
            int code = Integer.parseInt(text.substring("exit:".length()));
            return Optional.of(new Ends(code, code == 0 ? "Completed" : "Error", Duration.ZERO));
        }
        return Optional.empty();
    }

    private static Optional<Duration> duration(String tag) {
        Matcher parts = TIME.matcher(tag);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(parts.group("amount"));
        return Optional.of(
                switch (parts.group("unit")) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    default -> Duration.ofMinutes(amount);
                });
    }

    private static SimulatedImage unknown(String image) {
        return new PullFailure("the simulated kubelet knows no image '%s'; see dev.escapement.cluster.SimulatedKubelet"
                .formatted(image));
    }
}
