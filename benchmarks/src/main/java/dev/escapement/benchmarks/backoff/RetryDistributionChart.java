package dev.escapement.benchmarks.backoff;

import java.util.Locale;

/**
 * Draws two distributions as SVG on the same axes. The picture has its own background, so that it is readable on light
 * and dark pages. The same distributions give the same bytes.
 */
final class RetryDistributionChart {

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

    private RetryDistributionChart() {}

    /** Both distributions must have the same window. */
    static String draw(RetryDistribution ours, RetryDistribution theirs) {
        RetryDistributionChart chart = new RetryDistributionChart();
        chart.drawFrame();
        chart.drawPanel(LEFT_PANEL, "ours", "limits the window to the bounds, then draws", ours);
        chart.drawPanel(RIGHT_PANEL, "theirs", "draws, then clamps to the bounds", theirs);
        return chart.svg.append("</svg>\n").toString();
    }

    private void drawFrame() {
        append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
                <title>When callers that failed at the same time return</title>
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
        addText(
                LEFT_PANEL,
                32,
                "title",
                "%,d callers fail at the same time: when do they return?",
                RetryDistribution.CALLERS);
        addText(LEFT_PANEL, 52, "", "At the cap: 30 s doubled up to 5 min, ±10 %%. Each bar is 1 %% of the window.");
        append("<g transform=\"translate(24 %d) rotate(-90)\">\n", (TOP + BOTTOM) / 2);
        addText(0, 0, "middle", "share of the callers");
        append("</g>\n");
    }

    private void drawPanel(int left, String style, String how, RetryDistribution distribution) {
        addText(left, TOP - 34, "name " + style, "%s", distribution.name());
        addText(left, TOP - 17, "", "%s", how);
        drawShareAxis(left);
        drawBars(left, style, distribution);
        drawTimeAxis(left, distribution);
        double right = left + PANEL_WIDTH - 14;
        addText(right, TOP + 38, "share end " + style, "%.1f %%", distribution.maxSlicePercent());
        addText(right, TOP + 57, "end", "in the fullest 1 %% of the window");
    }

    private void drawShareAxis(int left) {
        for (int percent = 0; percent <= PERCENT_AT_TOP; percent += PERCENT_STEP) {
            double y = y(percent);
            append("<path d=\"M%d %.1fh%d\" class=\"grid\"/>\n", left, y, PANEL_WIDTH);
            addText(left - 8, y + 4, "end", "%d %%", percent);
        }
    }

    private void drawBars(int left, String style, RetryDistribution distribution) {
        double width = (double) PANEL_WIDTH / RetryDistribution.SLICES;
        append("<path class=\"%s\" d=\"", style);
        for (int slice = 0; slice < RetryDistribution.SLICES; slice++) {
            double percent = 100.0 * distribution.slices().get(slice) / RetryDistribution.CALLERS;
            append("M%.1f %dV%.1fh%.1fV%dz", left + slice * width, BOTTOM, y(percent), width, BOTTOM);
        }
        append("\"/>\n");
    }

    private void drawTimeAxis(int left, RetryDistribution distribution) {
        append("<path d=\"M%d %dh%d\" class=\"axis\"/>\n", left, BOTTOM, PANEL_WIDTH);
        for (int tick = 0; tick <= TIME_TICKS; tick++) {
            double x = left + (double) PANEL_WIDTH * tick / TIME_TICKS;
            double seconds = (distribution.fromNanos()
                            + (double) (distribution.toNanos() - distribution.fromNanos()) * tick / TIME_TICKS)
                    / 1e9;
            append("<path d=\"M%.1f %dv5\" class=\"axis\"/>\n", x, BOTTOM);
            addText(x, BOTTOM + 19, "middle", "%.0f s", seconds);
        }
        addText(left + PANEL_WIDTH / 2.0, BOTTOM + 40, "middle", "time since the failure");
    }

    private static double y(double percent) {
        return BOTTOM - PANEL_HEIGHT * percent / PERCENT_AT_TOP;
    }

    private void addText(double x, double y, String styles, String format, Object... args) {
        append("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, styles);
        append(format, args);
        append("</text>\n");
    }

    private void append(String format, Object... args) {
        svg.append(String.format(Locale.ROOT, format, args));
    }
}
