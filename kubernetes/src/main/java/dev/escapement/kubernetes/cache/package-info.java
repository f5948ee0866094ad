/** What is known of the objects of the cluster without a request. */
package dev.escapement.kubernetes.cache;
