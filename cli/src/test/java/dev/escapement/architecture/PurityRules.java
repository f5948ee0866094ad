package dev.escapement.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.random.RandomGeneratorFactory;

/** What a pure module must not ask: a module without clock, chance and environment gives one answer to one question. */
final class PurityRules {

    private PurityRules() {}

    static ArchRule noClockIn(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .accessTargetWhere(AccessPredicates.accessInPackage("java.time", Set.of("now", "dateNow"))
                        .or(AccessPredicates.accessTo(
                                "a clock", Set.of("java.lang.System.currentTimeMillis", "java.lang.System.nanoTime"))))
                .orShould()
                // Clock is an InstantSource. A Date or a Calendar is the present unless told otherwise.
                .dependOnClassesThat(assignableTo(InstantSource.class)
                        .or(assignableTo(Date.class))
                        .or(assignableTo(Calendar.class)))
                .because("time is an argument: the same question must get the same answer");
    }

    /** The one way in for chance that nobody passed is {@code Backoff.delay(int)}, which is made for hot loops. */
    static ArchRule noImplicitRandomnessIn(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .and()
                .doNotHaveFullyQualifiedName("dev.escapement.backoff.Backoff")
                .should()
                // Random has the thread's own and the secure one below it.
                .dependOnClassesThat(assignableTo(Random.class)
                        .or(belongToAnyOf(SplittableRandom.class, RandomGeneratorFactory.class)))
                .orShould()
                .accessTargetWhere(AccessPredicates.accessInPackage("java.util.random", Set.of("getDefault", "of"))
                        .or(AccessPredicates.accessWithParameterCount(1, "java.util.Collections.shuffle"))
                        .or(AccessPredicates.accessTo(
                                "chance",
                                Set.of(
                                        "java.lang.Math.random",
                                        "java.lang.StrictMath.random",
                                        "java.util.UUID.randomUUID"))))
                .because("chance is an argument: a replay must give the same answer");
    }

    static ArchRule noEnvironmentIn(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.escapement." + module + "..")
                .should()
                .accessTargetWhere(AccessPredicates.accessToOwnerExcept(System.class, Set.of("arraycopy"))
                        .or(AccessPredicates.accessTo(
                                "a setting of the machine",
                                Set.of(
                                        "java.lang.Boolean.getBoolean",
                                        "java.lang.Integer.getInteger",
                                        "java.lang.Long.getLong",
                                        "java.nio.charset.Charset.defaultCharset",
                                        "java.time.ZoneId.systemDefault",
                                        "java.util.Locale.getDefault",
                                        "java.util.TimeZone.getDefault"))))
                .orShould()
                .dependOnClassesThat(belongToAnyOf(
                        Runtime.class, ProcessBuilder.class, Process.class, ProcessHandle.class, Timer.class))
                .orShould()
                .dependOnClassesThat(assignableTo(Thread.class))
                .because("settings are arguments, and whoever calls decides on threads and processes");
    }
}
