package dev.memslot.internal;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends who asks, and the token, with every call, also with those of the generated stubs. */
final class SaidInterceptor implements ClientInterceptor {
  static final CallOptions.Key<Said> SAID = CallOptions.Key.create("memslot-said");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Said byDefault;
  private final @Nullable Supplier<String> token;

  SaidInterceptor(Said byDefault, @Nullable Supplier<String> token) {
    this.byDefault = byDefault;
    this.token = token;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    Said chosen = options.getOption(SAID);
    Said said = chosen == null ? byDefault : chosen;
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> listener, Metadata headers) {
        said.addTo(headers);
        if (token != null) {
          headers.put(AUTHORIZATION, Bearer.header(token.get()));
        }
        super.start(listener, headers);
      }
    };
  }
}
