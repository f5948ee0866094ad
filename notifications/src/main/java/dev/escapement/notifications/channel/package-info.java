/** The channels that notifications are sent to: log, file, webhook, Slack, PagerDuty and e-mail. */
package dev.escapement.notifications.channel;
