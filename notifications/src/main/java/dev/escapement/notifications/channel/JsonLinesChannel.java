package dev.escapement.notifications.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.common.PrivateFiles;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends notifications to a file that only its owner can read, one JSON document per line. */
public final class JsonLinesChannel implements NotificationChannel {

    private final Path file;

    public JsonLinesChannel(Path file) {
        this.file = file;
    }

    @Override
    public synchronized DeliveryResult send(NotificationRequest request) {
        ByteBuffer line = ByteBuffer.wrap((ChannelPayloads.webhook(request) + "\n").getBytes(UTF_8));
        try {
            PrivateFiles.createOrRestrict(file);
            try (var out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                while (line.hasRemaining()) {
                    out.write(line);
                }
                // An attempt that counts as sent must survive a crash of the machine.
                out.force(false);
            }
            return DeliveryResult.sent("written to the file");
        } catch (IOException failure) {
            return DeliveryResult.failed("the file %s cannot be written (%s)"
                    .formatted(file.getFileName(), failure.getClass().getSimpleName()));
        }
    }
}
