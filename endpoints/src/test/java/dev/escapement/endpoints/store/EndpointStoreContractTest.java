package dev.escapement.endpoints.store;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the contract of {@link dev.escapement.endpoints.store.EndpointStore} on every implementation. */
@ParameterizedClass
@EnumSource(StoreFixtures.class)
class EndpointStoreContractTest {

    /** Shared by all tests of one implementation, because creating a database takes long. */
    private static final AtomicReference<Optional<StoreFixture>> SHARED = new AtomicReference<>(Optional.empty());

    private final StoreFixture fixture = Objects.requireNonNull(SHARED.get()).orElseThrow();

    EndpointStoreContractTest(StoreFixtures kind) {}

    @BeforeParameterizedClassInvocation
    static void open(StoreFixtures kind) {
        SHARED.set(Optional.of(kind.create()));
    }

    @BeforeEach
    void clear() {
        fixture.clear();
    }

    @AfterParameterizedClassInvocation
    static void close() {
        Objects.requireNonNull(SHARED.getAndSet(Optional.empty())).ifPresent(StoreFixture::close);
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
