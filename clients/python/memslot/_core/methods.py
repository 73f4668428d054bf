"""The RPCs that the client calls, with their message types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from memslot.v1 import admin_service_pb2 as admin
from memslot.v1 import agent_service_pb2 as agent
from memslot.v1 import namespace_service_pb2 as namespaces
from memslot.v1 import slot_service_pb2 as slots

ReplyT = TypeVar("ReplyT", bound=Message)


@dataclass(frozen=True, slots=True)
class Method(Generic[ReplyT]):
    """One RPC: ``name`` is ``Service/Method``."""

    name: str
    request: type[Message]
    reply: type[ReplyT]

    @property
    def path(self) -> str:
        """The path of the RPC on the wire."""
        return f"/memslot.v1.{self.name}"


AnyMethod = Method[Any]

WRITE = Method("SlotService/Write", slots.WriteRequest, slots.WriteResponse)
UPDATE_INFO = Method("SlotService/UpdateInfo", slots.UpdateInfoRequest, slots.UpdateInfoResponse)
READ = Method("SlotService/Read", slots.ReadRequest, slots.ReadResponse)
FORGET = Method("SlotService/Forget", slots.ForgetRequest, slots.ForgetResponse)
FORGET_MATCHING = Method("SlotService/ForgetMatching", slots.ForgetMatchingRequest, slots.ForgetMatchingResponse)
LOOKUP = Method("SlotService/Lookup", slots.LookupRequest, slots.LookupResponse)
DESCRIBE = Method("SlotService/Describe", slots.DescribeRequest, slots.DescribeResponse)
SEARCH = Method("SlotService/Search", slots.SearchRequest, slots.SearchResponse)
BATCH_READ = Method("SlotService/BatchRead", slots.BatchReadRequest, slots.BatchReadResponse)
COMMIT = Method("SlotService/Commit", slots.CommitRequest, slots.CommitResponse)
LIST_VERSIONS = Method("SlotService/ListVersions", slots.ListVersionsRequest, slots.ListVersionsResponse)
READ_VERSION = Method("SlotService/ReadVersion", slots.ReadVersionRequest, slots.ReadVersionResponse)
UPDATE_NAMESPACE = Method(
    "NamespaceService/UpdateNamespace", namespaces.UpdateNamespaceRequest, namespaces.UpdateNamespaceResponse
)
GET_NAMESPACE = Method("NamespaceService/GetNamespace", namespaces.GetNamespaceRequest, namespaces.GetNamespaceResponse)
LIST_NAMESPACES = Method(
    "NamespaceService/ListNamespaces", namespaces.ListNamespacesRequest, namespaces.ListNamespacesResponse
)
DELETE_NAMESPACE = Method(
    "NamespaceService/DeleteNamespace", namespaces.DeleteNamespaceRequest, namespaces.DeleteNamespaceResponse
)
BEGIN_TASK = Method("NamespaceService/BeginTask", namespaces.BeginTaskRequest, namespaces.BeginTaskResponse)
END_TASK = Method("NamespaceService/EndTask", namespaces.EndTaskRequest, namespaces.EndTaskResponse)
SERVER_INFO = Method("AdminService/GetServerInfo", admin.GetServerInfoRequest, admin.GetServerInfoResponse)
STATS = Method("AdminService/Stats", admin.StatsRequest, admin.StatsResponse)
BACKUP = Method("AdminService/Backup", admin.BackupRequest, admin.BackupResponse)
CHECK_INTEGRITY = Method("AdminService/CheckIntegrity", admin.CheckIntegrityRequest, admin.CheckIntegrityResponse)
ACT = Method("AgentService/Act", agent.ActRequest, agent.ActResponse)
REINDEX = Method("AdminService/Reindex", admin.ReindexRequest, admin.ReindexResponse)
RECORD_TURN = Method("AgentService/RecordTurn", agent.RecordTurnRequest, agent.RecordTurnResponse)
TOKEN_REPORT = Method("AgentService/GetTokenReport", agent.GetTokenReportRequest, agent.GetTokenReportResponse)
INSPECT_PROMPT = Method("AgentService/InspectPrompt", agent.InspectPromptRequest, agent.InspectPromptResponse)
PROMPT_CARD = Method("AgentService/GetPromptCard", agent.GetPromptCardRequest, agent.GetPromptCardResponse)
TOOL_SCHEMAS = Method("AgentService/GetToolSchemas", agent.GetToolSchemasRequest, agent.GetToolSchemasResponse)
INJECT = Method("AgentService/Inject", agent.InjectRequest, agent.InjectResponse)
SCRUB = Method("AgentService/Scrub", agent.ScrubRequest, agent.ScrubResponse)
DIAGNOSE_TURN = Method("AgentService/DiagnoseTurn", agent.DiagnoseTurnRequest, agent.DiagnoseTurnResponse)
