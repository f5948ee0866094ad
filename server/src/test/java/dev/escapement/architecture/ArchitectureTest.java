package dev.escapement.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.escapement.architecture.offenders.AsksTheMachine;
import dev.escapement.architecture.offenders.PlansWithoutJitter;
import dev.escapement.architecture.offenders.ReadsAFile;
import dev.escapement.architecture.offenders.ReadsTheClock;
import dev.escapement.architecture.offenders.Sleeps;
import dev.escapement.architecture.offenders.TakesChances;
import dev.escapement.architecture.offenders.TurnsJitterOff;
import dev.escapement.architecture.offenders.UsesAPool;
import dev.escapement.architecture.offenders.WaitsATimeOfTheLadder;
import dev.escapement.architecture.offenders.WaitsWithoutJitter;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final String OFFENDERS = "architecture.offenders";

    /** Everything that ships, and nothing of the tests. */
    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("testkit"))
            .importPackages("dev.escapement");

    static Stream<String> pureModules() {
        return Rules.PURE.stream();
    }

    static Stream<String> modules() {
        return Rules.modules().stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void arrowsPointInward(String module) {
        Rules.arrowsPointInward(module).check(PRODUCTION);
    }

    @ParameterizedTest
    @MethodSource("pureModules")
    void pureModulesHaveNoClockNoChanceNoEnvironmentAndNoInputOrOutput(String module) {
        Rules.noInputOrOutputIn(module).check(PRODUCTION);
        PurityRules.noClockIn(module).check(PRODUCTION);
        PurityRules.chanceIsAnArgument(module).check(PRODUCTION);
        PurityRules.noEnvironmentIn(module).check(PRODUCTION);
    }

    @Test
    void nobodyWaitsWithoutJitter() {
        Rules.nobodyWaitsWithoutJitter().check(PRODUCTION);
        Rules.jitterIsAPersonsChoice().check(PRODUCTION);
        Rules.plannersAreStandard().check(PRODUCTION);
    }

    @Test
    void everyExceptionFromTheJitterIsAClassThatExists() {
        assertThat(Rules.JITTER_CHOOSERS).allMatch(PRODUCTION::contain);
    }

    @Test
    void testsStayOutOfProduction() {
        Rules.testsStayOutOfProduction().check(PRODUCTION);
    }

    @Test
    void nobodySleeps() {
        Rules.nobodySleeps().check(PRODUCTION);
    }

    @Test
    void everyModuleIsUnderTheRules() {
        Set<String> found = PRODUCTION.stream()
                .map(type -> type.getPackageName().split("\\.", 4)[2])
                .collect(Collectors.toSet());
        assertThat(found).isEqualTo(Rules.modules());
    }

    @Test
    void theRulesHaveTeeth() {
        catches(Rules.nobodyWaitsWithoutJitter(), WaitsWithoutJitter.class);
        catches(Rules.nobodyWaitsWithoutJitter(), WaitsATimeOfTheLadder.class);
        catches(Rules.jitterIsAPersonsChoice(), TurnsJitterOff.class);
        catches(Rules.plannersAreStandard(), PlansWithoutJitter.class);
        catches(Rules.testsStayOutOfProduction(), WaitsWithoutJitter.class);
        catches(Rules.nobodySleeps(), Sleeps.class);
        catches(PurityRules.noClockIn(OFFENDERS), ReadsTheClock.class);
        catches(PurityRules.chanceIsAnArgument(OFFENDERS), TakesChances.class);
        catches(PurityRules.noEnvironmentIn(OFFENDERS), AsksTheMachine.class);
        catches(Rules.noInputOrOutputIn(OFFENDERS), ReadsAFile.class);
        catches(Rules.noInputOrOutputIn(OFFENDERS), UsesAPool.class);
        catches(Rules.arrowsPointInward("architecture"), WaitsWithoutJitter.class);
    }

    /** Every method of the offender on its own: one that is seen must not hide one that is not. */
    private static void catches(ArchRule rule, Class<?> offender) {
        JavaClasses imported = new ClassFileImporter().importClasses(offender);
        String report = rule.evaluate(imported).getFailureReport().toString();
        assertThat(imported.get(offender).getMethods())
                .isNotEmpty()
                .allSatisfy(method -> assertThat(report).contains("Method <" + method.getFullName() + ">"));
    }
}
