/** The custom resources, and their conversion to and from the types of the engine. */
package dev.escapement.kubernetes.resource;
