"""What requests about flow files say."""

from api.bodies import Folder, Name
from domain.core.wire import Body


class FlowCheckBody(Body):
    """A text that may become a flow file; `repository` is where files that it names would lie."""

    content: str
    name: Folder = "flow"
    repository: Folder | None = None


class FlowTrustBody(Body):
    """A yes to the commands of a repository's flow, as it was shown."""

    flow: Name
    repository: Folder
    content_hash: Name
