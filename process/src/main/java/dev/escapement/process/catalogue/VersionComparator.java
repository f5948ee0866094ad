package dev.escapement.process.catalogue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;

/** Compares versions part by part, numbers numerically: 1.9 is before 1.10. */
final class VersionComparator implements Comparator<String> {

    @Override
    public int compare(String left, String right) {
        int parts = Arrays.compare(split(left), split(right), VersionComparator::comparePart);
        return parts != 0 ? parts : left.compareTo(right);
    }

    private static String[] split(String version) {
        return version.split("[.+_-]", -1);
    }

    private static int comparePart(String left, String right) {
        boolean numbers = isNumber(left) && isNumber(right);
        return numbers ? new BigInteger(left).compareTo(new BigInteger(right)) : left.compareTo(right);
    }

    private static boolean isNumber(String part) {
        return !part.isEmpty() && part.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
}
