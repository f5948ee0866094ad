package dev.escapement.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** What the tree promises, as rules. A rule that cannot fail proves nothing: each has an offender among the tests. */
final class ArchitectureRules {

    /** Each module and the modules of ours that it may know. Arrows point inward. */
    private static final Map<String, Set<String>> ALLOWED_DEPENDENCIES = Map.ofEntries(
            Map.entry("backoff", Set.of()),
            Map.entry("common", Set.of("backoff")),
            Map.entry("api", Set.of("common")),
            Map.entry("governor", Set.of("backoff", "common")),
            Map.entry("engine", Set.of("backoff", "common", "api", "governor")),
            Map.entry("storage", Set.of("backoff", "common", "api", "governor", "engine")),
            Map.entry("process", Set.of("backoff", "common", "api", "governor", "engine")),
            Map.entry("endpoints", Set.of("backoff", "common", "api", "governor", "engine", "storage")),
            Map.entry("notifications", Set.of("backoff", "common", "api", "governor", "engine", "storage")),
            Map.entry("kubernetes", Set.of("backoff", "common", "api", "governor", "engine")),
            Map.entry(
                    "server",
                    Set.of(
                            "backoff",
                            "common",
                            "api",
                            "governor",
                            "engine",
                            "storage",
                            "process",
                            "endpoints",
                            "notifications",
                            "kubernetes")),
            Map.entry(
                    "cli",
                    Set.of(
                            "backoff",
                            "common",
                            "api",
                            "governor",
                            "engine",
                            "storage",
                            "process",
                            "endpoints",
                            "notifications",
                            "kubernetes",
                            "server")));

    /** No clock, no chance, no I/O, no framework. */
    static final List<String> PURE_MODULES = List.of("backoff", "governor", "engine");

    private static final Set<String> UNJITTERED_METHODS = Set.of(
            "dev.escapement.backoff.UnjitteredDelay.delay",
            "dev.escapement.backoff.Ladder$Rung.nominal",
            "dev.escapement.backoff.Ladder$Rung.lowest",
            "dev.escapement.backoff.Ladder$Rung.highest",
            "dev.escapement.backoff.Ladder$Rung.cumulative",
            "dev.escapement.backoff.Ladder$Rung.cumulativeLowest",
            "dev.escapement.backoff.Ladder$Rung.cumulativeHighest");

    /**
     * The classes that may choose a jitter, none included: those that read a person's setting, and the planner, which
     * passes on what it was made with (see {@link #plannersUseStandardJitter}).
     */
    static final Set<String> JITTER_CONFIGURING_CLASSES = Set.of(
            "dev.escapement.governor.PolicyText",
            "dev.escapement.governor.plan.RunPlanner",
            "dev.escapement.governor.plan.FailureBackoff",
            "dev.escapement.cli.command.tools.LadderCommand");

    private ArchitectureRules() {}

    static ArchRule dependsOnlyOnAllowedModules(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .dependOnClassesThat(describe(
                        "are in a module further out",
                        dependency -> dependency.getPackageName().startsWith("dev.escapement.")
                                && !moduleOf(dependency).equals(module)
                                && !ALLOWED_DEPENDENCIES
                                        .getOrDefault(module, Set.of())
                                        .contains(moduleOf(dependency))))
                .because("if a change needs an arrow outward, a port is missing")
                .allowEmptyShould(true);
    }

    static Set<String> modules() {
        return ALLOWED_DEPENDENCIES.keySet();
    }

    static ArchRule noIoIn(String module) {
        return classes()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.escapement..",
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
                                "org.jspecify.annotations")
                        // Only Backoff's own, see PurityRules; all else in its package is about threads.
                        .or(type(ThreadLocalRandom.class)))
                .because("a pure module can be tested exhaustively, simulated and explained");
    }

    /** Whoever waits a time of the explanation comes back together with everyone else. */
    static ArchRule delaysHaveJitter() {
        return noClasses()
                .that()
                .resideOutsideOfPackages("dev.escapement.backoff..", "dev.escapement.cli..")
                .should()
                .accessTargetWhere(AccessPredicates.accessTo("a time without jitter", UNJITTERED_METHODS))
                .because("waits without jitter make a herd; only tests and explanations may see them");
    }

    /**
     * Only the decision of the gate acquires a target, and only stores restore an outcome. What the gate decided and
     * the ledger has lost is acquired again by the method of that name.
     */
    static ArchRule ledgerHistoryComesFromGate() {
        return noClasses()
                .that()
                .resideOutsideOfPackages("dev.escapement.governor..", "dev.escapement.engine.mapping..")
                .should()
                .accessTargetWhere(AccessPredicates.accessTo(
                        "a change of the ledger without a decision",
                        Set.of(
                                "dev.escapement.governor.ledger.LedgerEntry$Free.acquire",
                                "dev.escapement.governor.ledger.ExecutionOutcome$FailedBeforeExecution.restore")))
                .because("a holder that was not admitted, or a failure with another number, makes an illegal history");
    }

    /** Zero is a legal jitter, because a person may want it; no code of ours may want it for them. */
    static ArchRule jitterIsNotOverridden() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("dev.escapement.backoff..")
                .and(describe("do not read settings", type -> !JITTER_CONFIGURING_CLASSES.contains(type.getFullName())))
                .should()
                .accessTargetWhere(AccessPredicates.accessTo(
                        "a choice of jitter",
                        Set.of(
                                "dev.escapement.backoff.Backoff$Builder.jitterPercent",
                                "dev.escapement.backoff.BackoffSettings.<init>")))
                .because("the default spreads a herd; another jitter could be none");
    }

    /** A planner without jitter is for the exact tables of the tests. */
    static ArchRule plannersUseStandardJitter() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.escapement.governor.plan.RunPlanner")
                .should()
                .callConstructor(RunPlanner.class, int.class)
                .orShould()
                .callConstructor(RunPlanner.class, int.class, Duration.class)
                .because("RunPlanner.standard() spreads failing endpoints; another spread could be none");
    }

    static ArchRule productionDoesNotUseTestCode() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.escapement.testkit..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.escapement.backoff.UnjitteredDelay")
                .because("what is made for tests is not made for production");
    }

    static ArchRule noThreadSleep() {
        return noClasses()
                .should()
                .accessTargetWhere(AccessPredicates.accessTo(
                        "sleep", Set.of("java.lang.Thread.sleep", "java.util.concurrent.TimeUnit.sleep")))
                .because("a sleep is a poll: wait for the event or for the stored deadline");
    }

    private static String moduleOf(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", 4);
        return parts.length > 2 ? parts[2] : "";
    }
}
