package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs that have ended. */
public abstract class HistoryContract extends EndpointStoreContract {

    /** Rounds of runs of three endpoints; every third run fails. */
    private List<Run> history(int rounds) {
        create(endpoint("a", NOW), endpoint("b", NOW), endpoint("c", NOW.plusSeconds(1)));
        List<Run> runs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            now(NOW.plusSeconds(60L * round + 1));
            for (Claim claim : claim(10)) {
                Result result = runs.size() % 3 == 2 ? failure(claim) : success(claim);
                assertThat(store().record(List.of(result))).containsExactly(Verdict.RECORDED);
                runs.add(result.run());
            }
        }
        assertThat(runs).hasSize(3 * rounds);
        runs.sort(Comparator.comparing(Run::endedAt)
                .thenComparing(Run::endpoint)
                .thenComparing(Run::number)
                .reversed());
        return runs;
    }

    private List<Run> all(RunFilter filter, int limit) {
        List<Run> found = new ArrayList<>();
        String token = "";
        do {
            Page<Run> page = store().runs(filter, token, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            found.addAll(page.items());
            token = page.nextToken().orElse("");
        } while (!token.isEmpty());
        return found;
    }

    @Test
    void runsAreListedFromTheLastThatEnded() {
        List<Run> runs = history(4);
        for (int limit : new int[] {1, 2, 5, 12, 100}) {
            assertThat(all(RunFilter.ALL, limit)).containsExactlyElementsOf(runs);
            for (boolean failed : new boolean[] {true, false}) {
                List<Run> like = runs.stream()
                        .filter(run -> run.answer().isSuccess() != failed)
                        .toList();
                assertThat(all(new RunFilter(Optional.empty(), Optional.of(failed)), limit))
                        .containsExactlyElementsOf(like);
                assertThat(all(new RunFilter(Optional.of("id-b"), Optional.of(failed)), limit))
                        .containsExactlyElementsOf(like.stream()
                                .filter(run -> run.endpoint().equals("id-b"))
                                .toList());
            }
            assertThat(all(new RunFilter(Optional.of("id-b"), Optional.empty()), limit))
                    .extracting(Run::number)
                    .containsExactly(4L, 3L, 2L, 1L);
        }
        assertThat(all(new RunFilter(Optional.of("nobody"), Optional.empty()), 5))
                .isEmpty();
        assertThatThrownBy(() -> store().runs(RunFilter.ALL, "no token", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no continuation token");
    }

    @Test
    void ofEachEndpointTheLastAreKept() {
        history(StoreWorld.KEPT + 2);
        for (String endpoint : List.of("id-a", "id-b", "id-c")) {
            assertThat(all(new RunFilter(Optional.of(endpoint), Optional.empty()), 100))
                    .extracting(Run::number)
                    .containsExactly(7L, 6L, 5L, 4L, 3L);
            assertThat(store().run(endpoint, 2)).isEmpty();
        }
    }

    @Test
    void oldRunsAreRemovedABitAtATime() {
        List<Run> runs = history(4);
        Instant end = runs.get(2).endedAt();
        long old = runs.stream().filter(run -> run.endedAt().isBefore(end)).count();
        assertThat(old).isGreaterThan(5);
        assertThat(store().prune(end, 5)).isEqualTo(5);
        assertThat(all(RunFilter.ALL, 100)).hasSize(7);
        assertThat(store().prune(end, 100)).isEqualTo((int) old - 5);
        assertThat(store().prune(end, 100)).isZero();
        assertThat(all(RunFilter.ALL, 100))
                .isNotEmpty()
                .noneMatch(run -> run.endedAt().isBefore(end));
        assertThat(stored("a").endpoint().number()).isEqualTo(5);
    }

    @Test
    void aRunIsReadAsItWasWritten() {
        List<Run> runs = history(2);
        for (Run run : runs) {
            assertThat(store().run(run.endpoint(), run.number())).contains(run);
        }
    }
}
