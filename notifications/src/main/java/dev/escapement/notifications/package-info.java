/** What follows from a transition: records of the audit trail, and notifications of people. */
package dev.escapement.notifications;
