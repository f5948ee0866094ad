/** A real cluster for the tests of any module: {@link dev.escapement.cluster.testing.ClusterExtension}. */
package dev.escapement.cluster.testing;
