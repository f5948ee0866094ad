package dev.escapement.crashtests.cluster.judge;

/** The revisions of etcd from one to another, both included. */
public record RevisionRange(long first, long last) {

    boolean contains(long revision) {
        return first <= revision && revision <= last;
    }
}
