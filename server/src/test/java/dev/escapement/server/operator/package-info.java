/** The operator on a real cluster. */
package dev.escapement.server.operator;
