package dev.escapement.benchmarks;

import java.util.Locale;

/**
 * Two herds as an SVG, on the same axes. It has its own background, so that it can be read on a light and on a dark
 * page, and depends on nothing but its arguments, so that the same draws give the same bytes.
 */
final class HerdPicture {

    private static final int WIDTH = 820;
    private static final int HEIGHT = 380;
    private static final int PANEL_WIDTH = 320;
    private static final int PANEL_HEIGHT = 204;
    private static final int TOP = 116;
    private static final int BOTTOM = TOP + PANEL_HEIGHT;
    private static final int LEFT_PANEL = 72;
    private static final int RIGHT_PANEL = 464;
    private static final int PERCENT_AT_TOP = 60;
    private static final int PERCENT_STEP = 20;
    private static final int TIME_TICKS = 3;

    private final StringBuilder svg = new StringBuilder();

    private HerdPicture() {}

    /** Both herds must have the same window. */
    static String of(Herd ours, Herd theirs) {
        HerdPicture picture = new HerdPicture();
        picture.frame();
        picture.panel(LEFT_PANEL, "ours", "cuts the window to the bounds, then draws", ours);
        picture.panel(RIGHT_PANEL, "theirs", "the usual way: draws, then cuts to the bounds", theirs);
        return picture.svg.append("</svg>\n").toString();
    }

    private void frame() {
        add("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
                <title>When callers that failed together come back</title>
                <style>
                text { font: 12px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #4b5563 }
                .title { font-size: 18px; font-weight: 600; fill: #111827 }
                .name { font-size: 14px; font-weight: 600 }
                .share { font-size: 22px; font-weight: 600 }
                .middle { text-anchor: middle }
                .end { text-anchor: end }
                .ours { fill: #0f766e }
                .theirs { fill: #c2410c }
                .grid { stroke: #e5e7eb }
                .axis { stroke: #6b7280 }
                </style>
                <rect width="%1$d" height="%2$d" rx="8" fill="#ffffff"/>
                """, WIDTH, HEIGHT);
        text(LEFT_PANEL, 32, "title", "%,d callers fail together: when do they come back?", Herd.CALLERS);
        text(LEFT_PANEL, 52, "", "At the cap: 30 s doubled up to 5 min, ±10 %%. Each bar is 1 %% of the window.");
        add("<g transform=\"translate(24 %d) rotate(-90)\">\n", (TOP + BOTTOM) / 2);
        text(0, 0, "middle", "share of the callers");
        add("</g>\n");
    }

    private void panel(int left, String whose, String how, Herd herd) {
        text(left, TOP - 34, "name " + whose, "%s", herd.name());
        text(left, TOP - 17, "", "%s", how);
        shareAxis(left);
        bars(left, whose, herd);
        timeAxis(left, herd);
        double right = left + PANEL_WIDTH - 14;
        text(right, TOP + 38, "share end " + whose, "%.1f %%", herd.fullestPercent());
        text(right, TOP + 57, "end", "in the fullest 1 %% of the window");
    }

    private void shareAxis(int left) {
        for (int percent = 0; percent <= PERCENT_AT_TOP; percent += PERCENT_STEP) {
            double y = y(percent);
            add("<path d=\"M%d %.1fh%d\" class=\"grid\"/>\n", left, y, PANEL_WIDTH);
            text(left - 8, y + 4, "end", "%d %%", percent);
        }
    }

    private void bars(int left, String whose, Herd herd) {
        double width = (double) PANEL_WIDTH / Herd.SLICES;
        add("<path class=\"%s\" d=\"", whose);
        for (int slice = 0; slice < Herd.SLICES; slice++) {
            double percent = 100.0 * herd.slices().get(slice) / Herd.CALLERS;
            add("M%.1f %dV%.1fh%.1fV%dz", left + slice * width, BOTTOM, y(percent), width, BOTTOM);
        }
        add("\"/>\n");
    }

    private void timeAxis(int left, Herd herd) {
        add("<path d=\"M%d %dh%d\" class=\"axis\"/>\n", left, BOTTOM, PANEL_WIDTH);
        for (int tick = 0; tick <= TIME_TICKS; tick++) {
            double x = left + (double) PANEL_WIDTH * tick / TIME_TICKS;
            double seconds =
                    (herd.fromNanos() + (double) (herd.toNanos() - herd.fromNanos()) * tick / TIME_TICKS) / 1e9;
            add("<path d=\"M%.1f %dv5\" class=\"axis\"/>\n", x, BOTTOM);
            text(x, BOTTOM + 19, "middle", "%.0f s", seconds);
        }
        text(left + PANEL_WIDTH / 2.0, BOTTOM + 40, "middle", "time since the failure");
    }

    private static double y(double percent) {
        return BOTTOM - PANEL_HEIGHT * percent / PERCENT_AT_TOP;
    }

    private void text(double x, double y, String styles, String format, Object... args) {
        add("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, styles);
        add(format, args);
        add("</text>\n");
    }

    private void add(String format, Object... args) {
        svg.append(String.format(Locale.ROOT, format, args));
    }
}
