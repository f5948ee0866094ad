/** The ports on a cluster, and the operator. */
package dev.escapement.kubernetes;
