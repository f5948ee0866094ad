/** Routes of the audit trail. */
package dev.escapement.server.http.audit;
