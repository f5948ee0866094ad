/** The custom resources, and what they mean to the engine. */
package dev.escapement.kubernetes.resource;
