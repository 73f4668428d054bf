package dev.memslot.driver;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import dev.memslot.MemslotClient;
import dev.memslot.internal.Json;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;

/** Any unary method by name, from the generated descriptors, and messages as protobuf JSON. */
final class Methods {
  private static final TypeRegistry DETAILS =
      TypeRegistry.newBuilder().add(ErrorInfo.getDescriptor().getFile().getMessageTypes()).build();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().usingTypeRegistry(DETAILS).omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser().usingTypeRegistry(DETAILS);

  private Methods() {}

  static JsonElement call(MemslotClient client, JsonObject request)
      throws ReflectiveOperationException, InvalidProtocolBufferException {
    MethodDescriptor<Message, Message> method = method(request.get("method").getAsString());
    return json(client.call(method, message(method, request)));
  }

  static Message message(MethodDescriptor<Message, Message> method, JsonObject request)
      throws InvalidProtocolBufferException {
    PrototypeMarshaller<Message> marshaller =
        (PrototypeMarshaller<Message>) method.getRequestMarshaller();
    Message prototype = marshaller.getMessagePrototype();
    if (prototype == null) {
      throw new IllegalStateException("generated methods have prototypes");
    }
    Message.Builder message = prototype.newBuilderForType();
    PARSER.merge(Json.write(request.get("request")), message);
    return message.build();
  }

  @SuppressWarnings("unchecked") // All methods of the contract take and return messages.
  static MethodDescriptor<Message, Message> method(String fullName)
      throws ReflectiveOperationException {
    String service = fullName.substring(0, fullName.indexOf('/'));
    ServiceDescriptor described =
        (ServiceDescriptor)
            Class.forName("dev." + service + "Grpc").getMethod("getServiceDescriptor").invoke(null);
    for (MethodDescriptor<?, ?> method : described.getMethods()) {
      if (method.getFullMethodName().equals(fullName)) {
        return (MethodDescriptor<Message, Message>) method;
      }
    }
    throw new IllegalArgumentException("there is no such method");
  }

  static JsonElement json(com.google.protobuf.MessageOrBuilder message)
      throws InvalidProtocolBufferException {
    return Json.read(PRINTER.print(message));
  }
}
