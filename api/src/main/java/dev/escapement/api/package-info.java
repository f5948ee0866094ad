/**
 * The documents that people and programs exchange, as records: what REST, the database, the custom resources and the
 * command line read and write. One package per kind; this one has what they share.
 *
 * <p>The records carry the wire form. A component has the name of the JSON field. Times, durations and enums are
 * strings, whole numbers are {@code Long}, and every value may be absent: one bad value in one stored document must not
 * stop an informer or a list, so it is the mapping to the domain that parses values and reports problems. Maps and
 * lists are never null. Fields that a record does not know are kept in {@code other} and written back, so that a
 * document of a newer version survives.
 *
 * <p>To add a field: add the component here, the property in the schema
 * ({@code src/main/resources/dev/escapement/api/schema}, the same as in the CRD for custom resources) and the mapping
 * in the domain. A test compares records and schemas.
 */
@NullMarked
package dev.escapement.api;

import org.jspecify.annotations.NullMarked;
