package dev.escapement.notifications.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.notifications.message.NotificationSeverity;
import dev.escapement.notifications.routing.QuietTimes.QuietWindow;
import dev.escapement.testkit.Property;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QuietTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Set<NotificationSeverity> NOT_CRITICAL =
            EnumSet.of(NotificationSeverity.INFO, NotificationSeverity.WARNING);

    private static QuietTimes quiet(Set<DayOfWeek> days, String from, String to) {
        return new QuietTimes(
                List.of(new QuietWindow(days, LocalTime.parse(from), LocalTime.parse(to), BERLIN, NOT_CRITICAL)));
    }

    private static Instant defer(QuietTimes quiet, String due) {
        return quiet.deferUntil(NotificationSeverity.INFO, Instant.parse(due));
    }

    @Test
    void holdsBackUntilTheMorning() {
        QuietTimes nights = quiet(EnumSet.allOf(DayOfWeek.class), "22:00", "07:00");
        assertThat(defer(nights, "2026-11-17T22:30:00Z")).isEqualTo("2026-11-18T06:00:00Z");
        assertThat(defer(nights, "2026-11-17T03:00:00Z")).isEqualTo("2026-11-17T06:00:00Z");
        assertThat(defer(nights, "2026-11-17T06:00:00Z")).isEqualTo("2026-11-17T06:00:00Z");
        assertThat(defer(nights, "2026-11-17T12:00:00Z")).isEqualTo("2026-11-17T12:00:00Z");
    }

    @Test
    void doesNotHoldBackOtherSeverities() {
        QuietTimes nights = quiet(EnumSet.allOf(DayOfWeek.class), "22:00", "07:00");
        Instant night = Instant.parse("2026-11-17T23:00:00Z");
        assertThat(nights.deferUntil(NotificationSeverity.CRITICAL, night)).isEqualTo(night);
    }

    @Test
    void windowBelongsToTheDayItBeginsOn() {
        QuietTimes saturdayNight = quiet(EnumSet.of(DayOfWeek.SATURDAY), "22:00", "07:00");
        assertThat(defer(saturdayNight, "2026-11-22T02:00:00Z")).isEqualTo("2026-11-22T06:00:00Z");
        assertThat(defer(saturdayNight, "2026-11-21T02:00:00Z")).isEqualTo("2026-11-21T02:00:00Z");
    }

    @Test
    void adjacentDaysArePassedInOneGo() {
        QuietTimes weekend = quiet(EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), "00:00", "00:00");
        assertThat(defer(weekend, "2026-11-21T12:00:00Z")).isEqualTo("2026-11-22T23:00:00Z");
    }

    @Test
    void alwaysQuietEndsNevertheless() {
        QuietTimes always = quiet(EnumSet.allOf(DayOfWeek.class), "00:00", "00:00");
        assertThat(defer(always, "2026-11-21T12:00:00Z")).isAfter("2026-11-28T00:00:00Z");
    }

    @Test
    void deferredTimeIsOutsideOfEveryWindowAndNotLongAfter() {
        Property.forAll(2_000, gen -> {
            LocalTime from = LocalTime.ofSecondOfDay(gen.between(0, 86_399));
            LocalTime to = LocalTime.ofSecondOfDay(gen.between(0, 86_399));
            QuietTimes quiet = quiet(EnumSet.of(gen.oneOf(DayOfWeek.values())), from.toString(), to.toString());
            // Across both changes of the clock in a year.
            Instant due = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(gen.between(0, 365 * 86_400));
            Instant at = quiet.deferUntil(NotificationSeverity.INFO, due);
            assertThat(at).isAfterOrEqualTo(due).isBeforeOrEqualTo(due.plus(Duration.ofHours(26)));
            assertThat(quiet.deferUntil(NotificationSeverity.INFO, at)).isEqualTo(at);
        });
    }
}
