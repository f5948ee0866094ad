package dev.escapement.notifications.routing;

import dev.escapement.notifications.message.NotificationSeverity;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Times in which notifications of some severities are held back; they are sent when the quiet time ends. */
public record QuietTimes(List<QuietWindow> windows) {

    public static final QuietTimes NONE = new QuietTimes(List.of());

    /** Adjacent windows are passed in one go, but windows that cover all time must not loop forever. */
    private static final int MAX_ADJACENT_WINDOWS = 50;

    public QuietTimes {
        windows = List.copyOf(windows);
    }

    /** Returns when a notification that is due at an instant may be sent: that instant, or the end of a quiet time. */
    public Instant deferUntil(NotificationSeverity severity, Instant due) {
        Instant at = due;
        for (int passed = 0; passed < MAX_ADJACENT_WINDOWS; passed++) {
            Optional<Instant> end = findEnd(severity, at);
            if (end.isEmpty()) {
                return at;
            }
            at = end.get();
        }
        return at;
    }

    private Optional<Instant> findEnd(NotificationSeverity severity, Instant at) {
        return windows.stream()
                .filter(window -> window.severities().contains(severity))
                .flatMap(window -> window.findEnd(at).stream())
                .findFirst();
    }

    /**
     * A part of a day, on some days of the week.
     *
     * @param days on which it begins
     * @param from inclusive
     * @param to exclusive; if it is not after {@code from}, the window ends on the next day
     * @param severities that are held back
     */
    public record QuietWindow(
            Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone, Set<NotificationSeverity> severities) {

        public QuietWindow {
            days = Set.copyOf(days);
            severities = Set.copyOf(severities);
        }

        /** Returns the end of the window that an instant is in; empty if it is in none. */
        Optional<Instant> findEnd(Instant at) {
            ZonedDateTime local = at.atZone(zone);
            LocalDate today = local.toLocalDate();
            return findEndOfWindowBegunOn(today, local)
                    .or(() -> findEndOfWindowBegunOn(today.minusDays(1), local))
                    .map(end -> end.withLaterOffsetAtOverlap().toInstant())
                    .filter(end -> end.isAfter(at));
        }

        private Optional<ZonedDateTime> findEndOfWindowBegunOn(LocalDate day, ZonedDateTime local) {
            if (!days.contains(day.getDayOfWeek())) {
                return Optional.empty();
            }
            LocalDate lastDay = to.isAfter(from) ? day : day.plusDays(1);
            boolean inside = !local.toLocalDateTime().isBefore(day.atTime(from))
                    && local.toLocalDateTime().isBefore(lastDay.atTime(to));
            return inside ? Optional.of(lastDay.atTime(to).atZone(zone)) : Optional.empty();
        }
    }
}
