package dev.escapement.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.escapement.architecture.offenders.ClockOffender;
import dev.escapement.architecture.offenders.DisabledJitterOffender;
import dev.escapement.architecture.offenders.EnvironmentOffender;
import dev.escapement.architecture.offenders.FileAccessOffender;
import dev.escapement.architecture.offenders.LadderDelayOffender;
import dev.escapement.architecture.offenders.LedgerHistoryOffender;
import dev.escapement.architecture.offenders.RandomnessOffender;
import dev.escapement.architecture.offenders.SleepOffender;
import dev.escapement.architecture.offenders.ThreadPoolOffender;
import dev.escapement.architecture.offenders.UnjitteredDelayOffender;
import dev.escapement.architecture.offenders.UnjitteredPlannerOffender;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final String OFFENDER_PACKAGE = "architecture.offenders";

    /** Everything that ships, and nothing of the tests. */
    private static final JavaClasses PRODUCTION_CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("testkit"))
            .importPackages("dev.escapement");

    static Stream<String> pureModules() {
        return ArchitectureRules.PURE_MODULES.stream();
    }

    static Stream<String> modules() {
        return ArchitectureRules.modules().stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void modulesDependOnlyOnAllowedModules(String module) {
        ArchitectureRules.dependsOnlyOnAllowedModules(module).check(PRODUCTION_CLASSES);
    }

    @ParameterizedTest
    @MethodSource("pureModules")
    void pureModulesUseNoClockRandomnessEnvironmentOrIo(String module) {
        ArchitectureRules.noIoIn(module).check(PRODUCTION_CLASSES);
        PurityRules.noClockIn(module).check(PRODUCTION_CLASSES);
        PurityRules.noImplicitRandomnessIn(module).check(PRODUCTION_CLASSES);
        PurityRules.noEnvironmentIn(module).check(PRODUCTION_CLASSES);
    }

    @Test
    void delaysHaveJitter() {
        ArchitectureRules.delaysHaveJitter().check(PRODUCTION_CLASSES);
        ArchitectureRules.jitterIsNotOverridden().check(PRODUCTION_CLASSES);
        ArchitectureRules.plannersUseStandardJitter().check(PRODUCTION_CLASSES);
    }

    @Test
    void ledgerHistoryComesFromGate() {
        ArchitectureRules.ledgerHistoryComesFromGate().check(PRODUCTION_CLASSES);
    }

    @Test
    void jitterExceptionsExist() {
        assertThat(ArchitectureRules.JITTER_CONFIGURING_CLASSES).allMatch(PRODUCTION_CLASSES::contain);
    }

    @Test
    void productionDoesNotUseTestCode() {
        ArchitectureRules.productionDoesNotUseTestCode().check(PRODUCTION_CLASSES);
    }

    @Test
    void productionDoesNotSleep() {
        ArchitectureRules.noThreadSleep().check(PRODUCTION_CLASSES);
    }

    @Test
    void everyModuleHasRules() {
        Set<String> found = PRODUCTION_CLASSES.stream()
                .map(type -> type.getPackageName().split("\\.", 4)[2])
                .collect(Collectors.toSet());
        assertThat(found).isEqualTo(ArchitectureRules.modules());
    }

    @Test
    void everyRuleCatchesItsOffender() {
        assertCatches(ArchitectureRules.delaysHaveJitter(), UnjitteredDelayOffender.class);
        assertCatches(ArchitectureRules.delaysHaveJitter(), LadderDelayOffender.class);
        assertCatches(ArchitectureRules.jitterIsNotOverridden(), DisabledJitterOffender.class);
        assertCatches(ArchitectureRules.plannersUseStandardJitter(), UnjitteredPlannerOffender.class);
        assertCatches(ArchitectureRules.ledgerHistoryComesFromGate(), LedgerHistoryOffender.class);
        assertCatches(ArchitectureRules.productionDoesNotUseTestCode(), UnjitteredDelayOffender.class);
        assertCatches(ArchitectureRules.noThreadSleep(), SleepOffender.class);
        assertCatches(PurityRules.noClockIn(OFFENDER_PACKAGE), ClockOffender.class);
        assertCatches(PurityRules.noImplicitRandomnessIn(OFFENDER_PACKAGE), RandomnessOffender.class);
        assertCatches(PurityRules.noEnvironmentIn(OFFENDER_PACKAGE), EnvironmentOffender.class);
        assertCatches(ArchitectureRules.noIoIn(OFFENDER_PACKAGE), FileAccessOffender.class);
        assertCatches(ArchitectureRules.noIoIn(OFFENDER_PACKAGE), ThreadPoolOffender.class);
        assertCatches(ArchitectureRules.dependsOnlyOnAllowedModules("architecture"), UnjitteredDelayOffender.class);
    }

    /** Every method of the offender on its own: one that is seen must not hide one that is not. */
    private static void assertCatches(ArchRule rule, Class<?> offender) {
        JavaClasses imported = new ClassFileImporter().importClasses(offender);
        String report = rule.evaluate(imported).getFailureReport().toString();
        assertThat(imported.get(offender).getMethods())
                .isNotEmpty()
                .allSatisfy(method -> assertThat(report).contains("Method <" + method.getFullName() + ">"));
    }
}
