package dev.escapement.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.escapement.governor.plan.RunPlanner;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the tree promises, as rules. A rule that cannot fail proves nothing: each has an offender among the tests. */
final class Rules {

    /** Each module and the modules of ours that it may know. Arrows point inward. */
    private static final Map<String, Set<String>> ARROWS =
            Map.of("backoff", Set.of(), "governor", Set.of("backoff"), "server", Set.of("backoff", "governor"));

    /** No clock, no chance, no I/O, no framework. */
    static final List<String> PURE = List.of("backoff", "governor");

    private static final Set<String> CLOCKS = Set.of(
            "java.time.Instant.now",
            "java.time.LocalDate.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime");

    private Rules() {}

    static ArchRule arrowsPointInward(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .dependOnClassesThat(describe(
                        "are in a module further out",
                        dependency -> dependency.getPackageName().startsWith("dev.escapement.")
                                && !moduleOf(dependency).equals(module)
                                && !ARROWS.getOrDefault(module, Set.of()).contains(moduleOf(dependency))))
                .because("if a change needs an arrow outward, a port is missing")
                .allowEmptyShould(true);
    }

    static Set<String> modules() {
        return ARROWS.keySet();
    }

    static ArchRule noInputOrOutputIn(String module) {
        return classes()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.escapement..",
                        // Cron arithmetic: pure as well.
                        "com.cronutils..",
                        "java.lang",
                        "java.lang.runtime",
                        "java.lang.invoke",
                        "java.lang.annotation",
                        "java.math",
                        "java.nio.charset",
                        "java.security",
                        "java.time..",
                        "java.util",
                        "java.util.function",
                        "java.util.random",
                        "java.util.regex",
                        "java.util.stream",
                        // Only Backoff's own, see chanceIsAnArgument.
                        "java.util.concurrent")
                .because("a pure module can be tested exhaustively, simulated and explained");
    }

    static ArchRule noClockIn(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .accessTargetWhere(calls("a clock", CLOCKS))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.time.Clock.class)
                .because("time is an argument: the same question must get the same answer");
    }

    /** The one way in for chance that nobody passed is {@code Backoff.delay(int)}, which is made for hot loops. */
    static ArchRule chanceIsAnArgument(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .and()
                .doNotHaveFullyQualifiedName("dev.escapement.backoff.Backoff")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.security.SecureRandom")
                .orShould()
                .accessTargetWhere(calls("chance", Set.of("java.lang.Math.random", "java.util.UUID.randomUUID")))
                .because("chance is an argument: a replay must give the same answer");
    }

    /** Whoever waits the nominal time comes back together with everyone else. */
    static ArchRule nobodyWaitsWithoutJitter() {
        return noClasses()
                .that()
                .resideOutsideOfPackages("dev.escapement.backoff..", "dev.escapement.server.cli..")
                .should()
                .accessTargetWhere(calls(
                        "a time without jitter",
                        Set.of(
                                "dev.escapement.backoff.Unjittered.delay",
                                "dev.escapement.backoff.Ladder$Rung.nominal",
                                "dev.escapement.backoff.Ladder$Rung.cumulative")))
                .because("waits without jitter make a herd; only tests and explanations may see them");
    }

    /** A planner without jitter is for the exact tables of the tests. */
    static ArchRule plannersAreStandard() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.escapement.governor.plan.RunPlanner")
                .should()
                .callConstructor(RunPlanner.class, int.class)
                .because("RunPlanner.standard() spreads failing endpoints; another spread could be none");
    }

    static ArchRule testsStayOutOfProduction() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.escapement.testkit..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.escapement.backoff.Unjittered")
                .because("what is made for tests is not made for production");
    }

    static ArchRule nobodySleeps() {
        return noClasses()
                .should()
                .accessTargetWhere(
                        calls("sleep", Set.of("java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep")))
                .because("a sleep is a poll: wait for the event or for the stored deadline");
    }

    private static String moduleOf(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", 4);
        return parts.length > 2 ? parts[2] : "";
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String what, Set<String> targets) {
        return describe("is " + what, access -> targets.contains(fullName(access.getTarget())));
    }

    private static String fullName(AccessTarget target) {
        return target.getOwner().getFullName() + "." + target.getName();
    }
}
