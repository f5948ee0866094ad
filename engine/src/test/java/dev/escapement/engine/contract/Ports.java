package dev.escapement.engine.contract;

import dev.escapement.engine.port.Directory;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.Store;

/**
 * One empty store, seen through its three ports.
 *
 * @param transactional whether several writes are all made or none
 */
public record Ports(Store store, Directory directory, Journal journal, boolean transactional) {}
