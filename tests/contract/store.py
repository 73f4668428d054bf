"""The whole contract of a store, for one backend after the other."""

from __future__ import annotations

from tests.contract.accesses import AccessContract
from tests.contract.answers import AnswerContract
from tests.contract.expiry import ExpiryContract
from tests.contract.feed import FeedContract
from tests.contract.groups import GroupContract
from tests.contract.lookups import LookupContract
from tests.contract.namespaces import NamespaceContract
from tests.contract.slots import SlotContract
from tests.contract.supplied import SuppliedContract
from tests.contract.upkeep import UpkeepContract
from tests.contract.versions import VersionContract


class StoreContract(
    SlotContract,
    GroupContract,
    LookupContract,
    ExpiryContract,
    VersionContract,
    SuppliedContract,
    NamespaceContract,
    AccessContract,
    AnswerContract,
    FeedContract,
    UpkeepContract,
):
    """Everything that :mod:`memslot_sidecar.stores.base` promises. A backend gives the fixture ``world``."""
