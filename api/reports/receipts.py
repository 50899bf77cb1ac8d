"""Receipts of threads: what was proven of what they published, signed."""

from fastapi import APIRouter, Response

from api.core.dependencies import JournalDep, KeyDep, KnownThread, RedactorDep
from api.core.permissions import OF_PROJECTS, OF_THREAD
from domain.core.wire import Wire
from domain.evidence.issuing import Receipts
from domain.evidence.keys import SigningKey

router = APIRouter(tags=["receipts"])

_FILE: dict[int | str, dict[str, object]] = {
    200: {
        "description": "A DSSE envelope around an in-toto statement",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


class ReceiptKeyView(Wire):
    """The public key that receipts are checked with, in PEM, and its fingerprint."""

    pem: str
    fingerprint: str


@router.get(
    "/threads/{thread}/receipt",
    response_class=Response,
    responses=_FILE,
    dependencies=[OF_THREAD],
)
async def receipt(
    thread: KnownThread, journal: JournalDep, key: KeyDep, redactor: RedactorDep
) -> Response:
    """Get the signed receipt of the tree that a thread published last, to the byte as it is verified."""
    receipts = Receipts(journal, key, redactor.model)
    signed = receipts.signed(await receipts.stated(thread))
    name = {"Content-Disposition": f'attachment; filename="{thread}.receipt.json"'}
    return Response(signed, media_type="application/json", headers=name)


@router.get("/receipt-key", dependencies=[OF_PROJECTS])
async def receipt_key(key: KeyDep) -> ReceiptKeyView:
    """Get the public key that receipts of this installation are signed with."""
    public = SigningKey(key.read()).public
    return ReceiptKeyView(pem=public.pem, fingerprint=public.fingerprint)
