/** The operator: informers, the work queue, and what its tasks do. */
package dev.escapement.kubernetes.controller;
