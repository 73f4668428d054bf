package dev.memslot.internal;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.function.Supplier;

/** Sends who asks, and the token, with every call, also with those of the generated stubs. */
final class SaidInterceptor implements ClientInterceptor {
  static final CallOptions.Key<Said> SAID = CallOptions.Key.create("memslot-said");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Said byDefault;
  private final Supplier<String> token;

  SaidInterceptor(Said byDefault, Supplier<String> token) {
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
        String shown = token.get();
        if (!shown.isEmpty()) {
          headers.put(AUTHORIZATION, "Bearer " + shown);
        }
        super.start(listener, headers);
      }
    };
  }
}
