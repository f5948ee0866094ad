package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.engine.port.ExecutionQueries.Page;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Contract of the run history. */
public abstract class RunHistoryContract extends EndpointStoreContract {

    /** Records rounds of runs of three endpoints; every third run fails. */
    private List<FinishedRun> recordRounds(int rounds) {
        create(newEndpoint("a", NOW), newEndpoint("b", NOW), newEndpoint("c", NOW.plusSeconds(1)));
        List<FinishedRun> runs = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            setNow(NOW.plusSeconds(60L * round + 1));
            for (EndpointClaim claim : claim(10)) {
                RunResult result = runs.size() % 3 == 2 ? failureOf(claim) : successOf(claim);
                assertThat(store().record(List.of(result))).containsExactly(RecordOutcome.RECORDED);
                runs.add(result.run());
            }
        }
        assertThat(runs).hasSize(3 * rounds);
        runs.sort(Comparator.comparing(FinishedRun::endedAt)
                .thenComparing(FinishedRun::endpointId)
                .thenComparing(FinishedRun::number)
                .reversed());
        return runs;
    }

    private List<FinishedRun> listAll(RunFilter filter, int limit) {
        List<FinishedRun> found = new ArrayList<>();
        String token = "";
        do {
            Page<FinishedRun> page = store().listRuns(filter, token, limit);
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            found.addAll(page.items());
            token = page.nextToken().orElse("");
        } while (!token.isEmpty());
        return found;
    }

    @Test
    void listsNewestRunsFirst() {
        List<FinishedRun> runs = recordRounds(4);
        for (int limit : new int[] {1, 2, 5, 12, 100}) {
            assertThat(listAll(RunFilter.ALL, limit)).containsExactlyElementsOf(runs);
            for (boolean failed : new boolean[] {true, false}) {
                List<FinishedRun> like = runs.stream()
                        .filter(run -> run.callResult().isSuccess() != failed)
                        .toList();
                assertThat(listAll(new RunFilter(Optional.empty(), Optional.of(failed)), limit))
                        .containsExactlyElementsOf(like);
                assertThat(listAll(new RunFilter(Optional.of("id-b"), Optional.of(failed)), limit))
                        .containsExactlyElementsOf(like.stream()
                                .filter(run -> run.endpointId().equals("id-b"))
                                .toList());
            }
            assertThat(listAll(new RunFilter(Optional.of("id-b"), Optional.empty()), limit))
                    .extracting(FinishedRun::number)
                    .containsExactly(4L, 3L, 2L, 1L);
        }
        assertThat(listAll(new RunFilter(Optional.of("nobody"), Optional.empty()), 5))
                .isEmpty();
        assertThatThrownBy(() -> store().listRuns(RunFilter.ALL, "no token", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("continuation token");
    }

    @Test
    void keepsNewestRunsOfEachEndpoint() {
        recordRounds(StoreFixture.MAX_RUNS_PER_ENDPOINT + 2);
        for (String endpoint : List.of("id-a", "id-b", "id-c")) {
            assertThat(listAll(new RunFilter(Optional.of(endpoint), Optional.empty()), 100))
                    .extracting(FinishedRun::number)
                    .containsExactly(7L, 6L, 5L, 4L, 3L);
            assertThat(store().getRun(endpoint, 2)).isEmpty();
        }
    }

    @Test
    void prunesOldRunsUpToLimit() {
        List<FinishedRun> runs = recordRounds(4);
        Instant end = runs.get(2).endedAt();
        long old = runs.stream().filter(run -> run.endedAt().isBefore(end)).count();
        assertThat(old).isGreaterThan(5);
        assertThat(store().prune(end, 5)).isEqualTo(5);
        assertThat(listAll(RunFilter.ALL, 100)).hasSize(7);
        assertThat(store().prune(end, 100)).isEqualTo((int) old - 5);
        assertThat(store().prune(end, 100)).isZero();
        assertThat(listAll(RunFilter.ALL, 100))
                .isNotEmpty()
                .noneMatch(run -> run.endedAt().isBefore(end));
        assertThat(getStored("a").endpoint().nextRunNumber()).isEqualTo(5);
    }

    @Test
    void readsRunAsWritten() {
        List<FinishedRun> runs = recordRounds(2);
        for (FinishedRun run : runs) {
            assertThat(store().getRun(run.endpointId(), run.number())).contains(run);
        }
    }
}
