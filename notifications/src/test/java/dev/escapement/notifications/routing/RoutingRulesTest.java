package dev.escapement.notifications.routing;

import static dev.escapement.notifications.message.NotableTransitions.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.gate.SkipReason;
import dev.escapement.notifications.message.NotableTransitions;
import dev.escapement.notifications.message.NotificationSeverity;
import dev.escapement.notifications.routing.RoutingRules.Route;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutingRulesTest {

    private static final NotificationSeverity CRITICAL = NotificationSeverity.CRITICAL;

    private static RouteMatcher matcher(String field, String... values) {
        Set<String> none = Set.of();
        Set<String> given = Set.of(values);
        return new RouteMatcher(
                field.equals("eventType") ? given : none,
                field.equals("reason") ? given : none,
                Set.of(),
                field.equals("kind") ? given : none,
                field.equals("namespace") ? given : none,
                field.equals("target") ? given : none,
                field.equals("workflow") ? given : none);
    }

    private static boolean matches(RouteMatcher matcher, String target) {
        return matcher.matches(NotableTransitions.failure(1, target, START), CRITICAL);
    }

    @Test
    void matchesByEveryField() {
        String target = "payment/deployment/api";
        assertThat(matches(matcher("eventType", "WorkflowFailed"), target)).isTrue();
        assertThat(matches(matcher("eventType", "WorkflowSkipped"), target)).isFalse();
        assertThat(matches(matcher("reason", "TaskFailed", "OOMKilled"), target))
                .isTrue();
        assertThat(matches(matcher("reason", "TaskFailed"), target)).isFalse();
        assertThat(matches(matcher("kind", "Deployment"), target)).isTrue();
        assertThat(matches(matcher("kind", "node"), target)).isFalse();
        assertThat(matches(matcher("namespace", "pay*"), target)).isTrue();
        assertThat(matches(matcher("namespace", "shop"), target)).isFalse();
        assertThat(matches(matcher("target", "payment/*"), target)).isTrue();
        assertThat(matches(matcher("target", "payment"), target)).isFalse();
        assertThat(matches(matcher("workflow", "restart"), target)).isTrue();
        assertThat(matches(matcher("workflow", "resize"), target)).isFalse();
    }

    @Test
    void targetWithoutNamespaceMatchesNoNamespace() {
        assertThat(matches(matcher("namespace", "payment"), "node/payment")).isFalse();
        assertThat(matches(matcher("kind", "node"), "not a target")).isFalse();
    }

    @Test
    void firstMatchDecidesUnlessItContinues() {
        Route page = new Route(
                new RouteMatcher(Set.of(), Set.of(), Set.of(CRITICAL), Set.of(), Set.of(), Set.of(), Set.of()),
                List.of("page"),
                true);
        Route payment = new Route(matcher("namespace", "payment"), List.of("payment-team"), false);
        Route rest = new Route(RouteMatcher.ALL, List.of("ops"), false);
        RoutingRules rules = new RoutingRules(List.of(page, payment, rest), List.of("log"));
        assertThat(rules.channelsFor(NotableTransitions.failure(1, "payment/pod/a", START), CRITICAL))
                .containsExactly("page", "payment-team");
        assertThat(rules.channelsFor(NotableTransitions.failure(1, "node/a", START), CRITICAL))
                .containsExactly("page", "ops");
        assertThat(rules.channelsFor(
                        NotableTransitions.skip(1, "node/a", SkipReason.ResourceBusy, START),
                        NotificationSeverity.INFO))
                .containsExactly("ops");
    }

    @Test
    void defaultChannelsReceiveWhatNoRouteMatches() {
        RoutingRules rules = new RoutingRules(
                List.of(new Route(matcher("reason", "ResourceBusy"), List.of(), false)), List.of("log"));
        assertThat(rules.channelsFor(NotableTransitions.failure(1, "node/a", START), CRITICAL))
                .containsExactly("log");
        assertThat(rules.channelsFor(
                        NotableTransitions.skip(1, "node/a", SkipReason.ResourceBusy, START),
                        NotificationSeverity.INFO))
                .isEmpty();
    }
}
