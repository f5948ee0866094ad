package dev.escapement.endpoints.store.sql;

import dev.escapement.endpoints.store.EndpointArchiveContract;
import dev.escapement.endpoints.store.EndpointClaimContract;
import dev.escapement.endpoints.store.EndpointCrudContract;
import dev.escapement.endpoints.store.ReadModifyWriteContract;
import dev.escapement.endpoints.store.RunHistoryContract;
import dev.escapement.endpoints.store.RunRecordingContract;
import dev.escapement.endpoints.store.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** All stores keep the same contract. */
@ParameterizedClass
@EnumSource(StoreFixtures.class)
class EndpointStoreContractTest {

    private final StoreFixture fixture;

    EndpointStoreContractTest(StoreFixtures kind) {
        fixture = kind.create();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Nested
    class Claims extends EndpointClaimContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }

    @Nested
    class RunRecording extends RunRecordingContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }

    @Nested
    class Crud extends EndpointCrudContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }

    @Nested
    class ReadModifyWrite extends ReadModifyWriteContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }

    @Nested
    class Archive extends EndpointArchiveContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }

    @Nested
    class RunHistory extends RunHistoryContract {
        @Override
        protected StoreFixture fixture() {
            return fixture;
        }
    }
}
