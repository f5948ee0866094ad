package dev.escapement.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import java.util.Set;

/** Which methods, constructors and fields a rule is about, by name; references such as {@code Instant::now} count. */
final class AccessPredicates {

    private AccessPredicates() {}

    /** These, as class and name; a constructor's name is {@code <init>}. */
    static DescribedPredicate<JavaAccess<?>> accessTo(String what, Set<String> targets) {
        return describe("is " + what, access -> targets.contains(fullName(access.getTarget())));
    }

    /** All with one of these names in a package and those below it. */
    static DescribedPredicate<JavaAccess<?>> accessInPackage(String packageName, Set<String> names) {
        return describe(
                "is one of " + names + " in " + packageName,
                access -> (access.getTargetOwner().getPackageName() + ".").startsWith(packageName + ".")
                        && names.contains(access.getTarget().getName()));
    }

    /** All of a class but these. */
    static DescribedPredicate<JavaAccess<?>> accessToOwnerExcept(Class<?> owner, Set<String> harmless) {
        return describe(
                "is " + owner.getSimpleName() + " other than " + harmless,
                access -> access.getTargetOwner().isEquivalentTo(owner)
                        && !harmless.contains(access.getTarget().getName()));
    }

    /** The form of a method with so many parameters. */
    static DescribedPredicate<JavaAccess<?>> accessWithParameterCount(int count, String target) {
        return describe(
                "is " + target + " with " + count + " parameters",
                access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget called
                        && fullName(called).equals(target)
                        && called.getRawParameterTypes().size() == count);
    }

    private static String fullName(AccessTarget target) {
        return target.getOwner().getFullName() + "." + target.getName();
    }
}
