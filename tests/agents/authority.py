"""A certificate authority of a test's own."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_LONG = datetime.timedelta(days=2)


@dataclass(frozen=True)
class Authority:
    """PEM files: its own certificate, and what a server of its hosts shows and keeps."""

    own: Path
    chain: Path
    key: Path


def authority(folder: Path, hosts: tuple[str, ...]) -> Authority:
    """Make an authority that has signed for hosts."""
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    itself = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Treadle test authority")])
    server = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Treadle test server")])
    its_id = x509.SubjectKeyIdentifier.from_public_key(root_key.public_key())
    root = (
        _begun(itself, itself, root_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(its_id, critical=False)
        .sign(root_key, hashes.SHA256())
    )
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
    signer = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(its_id)
    leaf = (
        _begun(server, itself, key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(names, critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(signer, critical=False)
        .sign(root_key, hashes.SHA256())
    )
    made = Authority(folder / "authority.pem", folder / "server.pem", folder / "server.key")
    made.own.write_bytes(root.public_bytes(Encoding.PEM))
    made.chain.write_bytes(leaf.public_bytes(Encoding.PEM) + root.public_bytes(Encoding.PEM))
    made.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return x509.CertificateBuilder(
        issuer_name=issuer,
        subject_name=subject,
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=now - _LONG,
        not_valid_after=now + _LONG,
    )
