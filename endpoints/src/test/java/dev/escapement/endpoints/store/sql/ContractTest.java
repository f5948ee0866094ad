package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.ArchiveContract;
import dev.escapement.endpoints.store.AtOnceContract;
import dev.escapement.endpoints.store.ClaimContract;
import dev.escapement.endpoints.store.HistoryContract;
import dev.escapement.endpoints.store.PeopleContract;
import dev.escapement.endpoints.store.RecordContract;
import dev.escapement.endpoints.store.StoreWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All stores keep the same contract. */
@ParameterizedClass
@EnumSource(Worlds.class)
class ContractTest {

    private final StoreWorld world;

    ContractTest(Worlds kind) {
        world = kind.fresh();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Nested
    class Claims extends ClaimContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }

    @Nested
    class Results extends RecordContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }

    @Nested
    class People extends PeopleContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }

    @Nested
    class AtOnce extends AtOnceContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }

    @Nested
    class Archiving extends ArchiveContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }

    @Nested
    class Histories extends HistoryContract {
        @Override
        protected StoreWorld world() {
            return world;
        }
    }
}
