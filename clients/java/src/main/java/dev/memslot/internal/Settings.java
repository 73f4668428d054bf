package dev.memslot.internal;

import io.grpc.ChannelCredentials;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of a connection. */
public record Settings(
    Target target,
    ChannelCredentials credentials,
    @Nullable Supplier<String> token,
    Said said,
    int messageLimitBytes,
    boolean waitForReady) {}
