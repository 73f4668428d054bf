"""The parser of model outputs: see DESIGN.md beside this file."""

from memslot_sidecar.parsing.model import Action, Parsed, Reject, Reply
from memslot_sidecar.parsing.names import ACTIONS
from memslot_sidecar.parsing.parser import parse

__all__ = ["ACTIONS", "Action", "Parsed", "Reject", "Reply", "parse"]
