/** Creates and sends the notifications of an operator, as custom resources. All state is in the cluster. */
package dev.escapement.server.operator.notification;
