package dev.escapement.process.catalogue;

import java.math.BigInteger;
import java.util.Comparator;

/** Compares versions part by part, numbers numerically: 1.9 is before 1.10. */
final class VersionComparator implements Comparator<String> {

    @Override
    public int compare(String left, String right) {
        String[] a = left.split("[.+_-]", -1);
        String[] b = right.split("[.+_-]", -1);
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            int part = comparePart(a[i], b[i]);
            if (part != 0) {
                return part;
            }
        }
        int length = Integer.compare(a.length, b.length);
        return length != 0 ? length : left.compareTo(right);
    }

    private static int comparePart(String left, String right) {
        boolean numbers = isNumber(left) && isNumber(right);
        return numbers ? new BigInteger(left).compareTo(new BigInteger(right)) : left.compareTo(right);
    }

    private static boolean isNumber(String part) {
        return !part.isEmpty() && part.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
}
