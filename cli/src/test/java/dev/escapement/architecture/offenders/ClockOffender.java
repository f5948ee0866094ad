package dev.escapement.architecture.offenders;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.chrono.ChronoLocalDate;
import java.time.chrono.Chronology;
import java.util.Calendar;
import java.util.Date;
import java.util.function.Supplier;

/** Asks the machine for the time. */
public final class ClockOffender {

    private ClockOffender() {}

    static Instant instant() {
        return Instant.now();
    }

    static Supplier<Instant> reference() {
        return Instant::now;
    }

    static LocalTime time(ZoneId zone) {
        return LocalTime.now(zone);
    }

    static YearMonth month(ZoneId zone) {
        return YearMonth.now(zone);
    }

    static ChronoLocalDate date(Chronology chronology, ZoneId zone) {
        return chronology.dateNow(zone);
    }

    static Instant source() {
        return InstantSource.system().instant();
    }

    static Instant tick(ZoneId zone) {
        return Clock.tickSeconds(zone).instant();
    }

    static long millis() {
        return System.currentTimeMillis();
    }

    static long nanos() {
        return System.nanoTime();
    }

    @SuppressWarnings("JavaUtilDate") // old on purpose
    static long oldDate() {
        return new Date().getTime();
    }

    static int oldCalendar() {
        return Calendar.getInstance().get(Calendar.YEAR);
    }
}
