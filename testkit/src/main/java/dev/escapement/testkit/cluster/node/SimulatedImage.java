package dev.escapement.testkit.cluster.node;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The behaviour of a container, selected by the name of its image. */
sealed interface SimulatedImage {

    /** Runs for a time and ends. */
    record Exit(int exitCode, String reason, Duration after) implements SimulatedImage {}

    /** Runs until the pod is deleted. */
    record Hang() implements SimulatedImage {}

    /** Runs until an annotation of the pod ends it. */
    record WaitForAnnotation() implements SimulatedImage {}

    /** Cannot be pulled. */
    record PullFailure(String message) implements SimulatedImage {}

    /** The pod cannot be scheduled. */
    record Unschedulable() implements SimulatedImage {}

    /** The registry in the image names, which does not exist. */
    String REGISTRY = "simulated.local/";

    Pattern IMAGE = Pattern.compile("simulated\\.local/(?<name>[a-z-]+)(:(?<tag>[A-Za-z0-9._-]+))?(@.*)?");
    Pattern DURATION = Pattern.compile("(?<amount>[0-9]{1,6})(?<unit>ms|s|m)");

    int SIGKILL_EXIT_CODE = 137;

    static SimulatedImage parse(String image) {
        Matcher parts = IMAGE.matcher(image);
        if (!parts.matches()) {
            return unknownImage(image);
        }
        Optional<String> tag = Optional.ofNullable(parts.group("tag"));
        return switch (parts.group("name")) {
            case "succeed" ->
                parseDuration(tag.orElse("latest"))
                        .<SimulatedImage>map(after -> new Exit(0, "Completed", after))
                        .orElseGet(() -> new Exit(0, "Completed", Duration.ZERO));
            case "exit", "oom" ->
                parseExit(parts.group("name") + tag.map(text -> ":" + text).orElse(""))
                        .orElseGet(() -> unknownImage(image));
            case "hang" -> new Hang();
            case "wait" -> new WaitForAnnotation();
            case "pull-failure" ->
                new PullFailure("failed to pull and unpack image \"%s\": not found (simulated)".formatted(image));
            case "never-scheduled" -> new Unschedulable();
            default -> unknownImage(image);
        };
    }

    /** The end that an image or an annotation selects: {@code succeed}, {@code exit:3} or {@code oom}. */
    static Optional<SimulatedImage> parseExit(String text) {
        if (text.equals("succeed")) {
            return Optional.of(new Exit(0, "Completed", Duration.ZERO));
        }
        if (text.equals("oom") || text.startsWith("oom:")) {
            return Optional.of(new Exit(SIGKILL_EXIT_CODE, "OOMKilled", Duration.ZERO));
        }
        if (text.matches("exit:[0-9]{1,3}")) {
            int code = Integer.parseInt(text.substring("exit:".length()));
            return Optional.of(new Exit(code, code == 0 ? "Completed" : "Error", Duration.ZERO));
        }
        return Optional.empty();
    }

    private static Optional<Duration> parseDuration(String tag) {
        Matcher parts = DURATION.matcher(tag);
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

    private static SimulatedImage unknownImage(String image) {
        return new PullFailure(
                "the simulated kubelet knows no image '%s'; see dev.escapement.testkit.cluster.node.SimulatedKubelet"
                        .formatted(image));
    }
}
