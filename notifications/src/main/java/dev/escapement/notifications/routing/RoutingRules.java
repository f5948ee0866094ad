package dev.escapement.notifications.routing;

import dev.escapement.engine.journal.Transition;
import dev.escapement.notifications.message.NotificationSeverity;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the channels of a notification. Routes are tried in order; the first that matches decides, unless it says to
 * continue: then the channels of later matches are added.
 *
 * @param defaultChannels if no route matches
 */
public record RoutingRules(List<Route> routes, List<String> defaultChannels) {

    /**
     * Sends what matches to channels.
     *
     * @param channels empty to send it nowhere
     * @param continues whether later routes are tried too
     */
    public record Route(RouteMatcher matcher, List<String> channels, boolean continues) {
        public Route {
            channels = List.copyOf(channels);
        }
    }

    public RoutingRules {
        routes = List.copyOf(routes);
        defaultChannels = List.copyOf(defaultChannels);
    }

    /** Returns rules that send everything to the same channels. */
    public static RoutingRules sendAllTo(String... channels) {
        return new RoutingRules(List.of(), List.of(channels));
    }

    /** Returns the channels, each once, in the order of the routes; empty if it is sent nowhere. */
    public List<String> channelsFor(Transition transition, NotificationSeverity severity) {
        Set<String> chosen = new LinkedHashSet<>();
        boolean matched = false;
        for (Route route : routes) {
            if (route.matcher().matches(transition, severity)) {
                matched = true;
                chosen.addAll(route.channels());
                if (!route.continues()) {
                    break;
                }
            }
        }
        return matched ? List.copyOf(chosen) : defaultChannels;
    }
}
