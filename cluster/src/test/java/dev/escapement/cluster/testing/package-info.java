/** A real cluster for the tests of any module: {@link dev.escapement.testkit.cluster.ClusterExtension}. */
package dev.escapement.cluster.testing;
