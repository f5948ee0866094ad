/**
 * Checks documents against the schema of their kind and reports every problem at once.
 *
 * <p>The schemas are YAML files beside this package, one per kind, in the form that a CustomResourceDefinition wants.
 * For the custom resources they are the CRD's own schema. This module has no YAML parser, to stay free of dependencies:
 * {@link dev.escapement.api.schema.SchemaValidator} takes the parser as a function, so that any one that returns plain
 * maps will do: {@code SchemaValidator.load("Endpoint", text -> new Yaml().load(text))}.
 *
 * <p>Rules in {@code x-kubernetes-validations} are CEL expressions, which only the API server evaluates.
 * {@link dev.escapement.api.schema.CelRules} has the same rules in Java, each under the text of its expression.
 */
@NullMarked
package dev.escapement.api.schema;

import org.jspecify.annotations.NullMarked;
