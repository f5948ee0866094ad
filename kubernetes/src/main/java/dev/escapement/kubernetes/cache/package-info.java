/** What is known of the objects of the cluster without a request, and the watches that deliver it. */
package dev.escapement.kubernetes.cache;
