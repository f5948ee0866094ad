package dev.escapement.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.escapement.architecture.offenders.PlansWithoutJitter;
import dev.escapement.architecture.offenders.ReadsAFile;
import dev.escapement.architecture.offenders.ReadsTheClock;
import dev.escapement.architecture.offenders.Sleeps;
import dev.escapement.architecture.offenders.TakesChances;
import dev.escapement.architecture.offenders.WaitsTheNominalTime;
import dev.escapement.architecture.offenders.WaitsWithoutJitter;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

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
    void pureModulesHaveNoClockNoChanceAndNoInputOrOutput(String module) {
        Rules.noInputOrOutputIn(module).check(PRODUCTION);
        Rules.noClockIn(module).check(PRODUCTION);
        Rules.chanceIsAnArgument(module).check(PRODUCTION);
    }

    @Test
    void nobodyWaitsWithoutJitter() {
        Rules.nobodyWaitsWithoutJitter().check(PRODUCTION);
        Rules.plannersAreStandard().check(PRODUCTION);
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
        catches(Rules.nobodyWaitsWithoutJitter(), WaitsTheNominalTime.class);
        catches(Rules.plannersAreStandard(), PlansWithoutJitter.class);
        catches(Rules.testsStayOutOfProduction(), WaitsWithoutJitter.class);
        catches(Rules.nobodySleeps(), Sleeps.class);
        catches(Rules.noClockIn("architecture.offenders"), ReadsTheClock.class);
        catches(Rules.chanceIsAnArgument("architecture.offenders"), TakesChances.class);
        catches(Rules.noInputOrOutputIn("architecture.offenders"), ReadsAFile.class);
        catches(Rules.arrowsPointInward("architecture"), WaitsWithoutJitter.class);
    }

    private static void catches(ArchRule rule, Class<?> offender) {
        JavaClasses imported = new ClassFileImporter().importClasses(offender);
        assertThatThrownBy(() -> rule.check(imported))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(offender.getSimpleName());
    }
}
