package dev.memslot;

import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one sidecar of the run, a client of it, or the slots of a fresh namespace. */
final class WithSidecar implements ParameterResolver {
  private static final ExtensionContext.Namespace KEPT =
      ExtensionContext.Namespace.create(WithSidecar.class);

  /** A sidecar and a client, for the whole run. */
  private record Shared(Sidecar sidecar, MemslotClient client) implements AutoCloseable {
    static Shared start() {
      Sidecar sidecar = Sidecar.start();
      return new Shared(sidecar, MemslotClient.connect(sidecar.target()));
    }

    @Override
    public void close() {
      client.close();
      sidecar.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Sidecar.class || type == MemslotClient.class || type == Memory.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Shared shared =
        context
            .getRoot()
            .getStore(KEPT)
            .getOrComputeIfAbsent(Shared.class, key -> Shared.start(), Shared.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == Sidecar.class) {
      return shared.sidecar();
    }
    return type == MemslotClient.class
        ? shared.client()
        : shared.client().namespace("java/" + UUID.randomUUID());
  }
}
