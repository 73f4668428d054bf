package dev.memslot;

import com.google.gson.JsonArray;
import dev.memslot.internal.Call;
import dev.memslot.internal.Json;
import dev.memslot.internal.TurnMessages;
import dev.memslot.internal.Utf8;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.Inspection;
import dev.memslot.model.TokenReport;
import dev.memslot.model.TurnAccount;
import dev.memslot.v1.AgentServiceGrpc;
import dev.memslot.v1.DiagnoseTurnRequest;
import dev.memslot.v1.DiagnoseTurnResponse;
import dev.memslot.v1.GetTokenReportRequest;
import dev.memslot.v1.GetTokenReportResponse;
import dev.memslot.v1.InspectPromptRequest;
import dev.memslot.v1.InspectPromptResponse;
import dev.memslot.v1.RecordTurnRequest;
import dev.memslot.v1.RecordTurnResponse;
import java.util.function.Consumer;

/** The calls that look at turns and prompts, for both faces. */
final class TurnCalls {
  private TurnCalls() {}

  static Call<RecordTurnRequest, RecordTurnResponse, TurnAccount> record(
      String namespace, String prompt, Consumer<RecordOptions> details) {
    return record(
        RecordTurnRequest.newBuilder().setNamespace(namespace).setPrompt(Utf8.whole(prompt)),
        details);
  }

  static Call<RecordTurnRequest, RecordTurnResponse, TurnAccount> record(
      String namespace, JsonArray messages, Consumer<RecordOptions> details) {
    return record(
        RecordTurnRequest.newBuilder()
            .setNamespace(namespace)
            .setMessagesJson(Json.write(messages)),
        details);
  }

  private static Call<RecordTurnRequest, RecordTurnResponse, TurnAccount> record(
      RecordTurnRequest.Builder request, Consumer<RecordOptions> details) {
    details.accept(new RecordOptions(request));
    return new Call<>(
        AgentServiceGrpc.getRecordTurnMethod(),
        request.build(),
        TurnAccount.class,
        reply -> TurnMessages.account(reply.getAccount()));
  }

  static Call<GetTokenReportRequest, GetTokenReportResponse, TokenReport> report(
      String namespace, Consumer<ReportOptions> details) {
    GetTokenReportRequest.Builder request =
        GetTokenReportRequest.newBuilder().setNamespace(namespace);
    details.accept(new ReportOptions(request));
    return new Call<>(
        AgentServiceGrpc.getGetTokenReportMethod(),
        request.build(),
        TokenReport.class,
        TurnMessages::report);
  }

  static Call<InspectPromptRequest, InspectPromptResponse, Inspection> inspect(
      String namespace, String prompt, Consumer<InspectOptions> details) {
    return inspect(
        InspectPromptRequest.newBuilder().setNamespace(namespace).setPrompt(Utf8.whole(prompt)),
        details);
  }

  static Call<InspectPromptRequest, InspectPromptResponse, Inspection> inspect(
      String namespace, JsonArray messages, Consumer<InspectOptions> details) {
    return inspect(
        InspectPromptRequest.newBuilder()
            .setNamespace(namespace)
            .setMessagesJson(Json.write(messages)),
        details);
  }

  private static Call<InspectPromptRequest, InspectPromptResponse, Inspection> inspect(
      InspectPromptRequest.Builder request, Consumer<InspectOptions> details) {
    details.accept(new InspectOptions(request));
    return new Call<>(
        AgentServiceGrpc.getInspectPromptMethod(),
        request.build(),
        Inspection.class,
        TurnMessages::inspection);
  }

  static Call<DiagnoseTurnRequest, DiagnoseTurnResponse, Diagnosis> diagnose(
      String namespace, String turn, Consumer<DiagnoseOptions> details) {
    DiagnoseTurnRequest.Builder request =
        DiagnoseTurnRequest.newBuilder().setNamespace(namespace).setTurn(turn);
    details.accept(new DiagnoseOptions(request));
    return new Call<>(
        AgentServiceGrpc.getDiagnoseTurnMethod(),
        request.build(),
        Diagnosis.class,
        TurnMessages::diagnosis);
  }
}
