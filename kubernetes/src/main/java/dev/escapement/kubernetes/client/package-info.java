/** Watches that notice when nobody is at the other end any more. */
package dev.escapement.kubernetes.client;
