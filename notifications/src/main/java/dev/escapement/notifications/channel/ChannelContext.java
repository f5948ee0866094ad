package dev.escapement.notifications.channel;

import java.time.Duration;
import java.time.InstantSource;

/**
 * What channels share.
 *
 * @param poster for channels over HTTP
 * @param addressGuard for the others that call a host
 * @param timeout how long a channel may take to send a notification, in all
 */
public record ChannelContext(HttpPoster poster, AddressGuard addressGuard, Duration timeout, InstantSource clock) {}
