"""TLS: whose certificate counts, every way it goes wrong under a name of its own, and the reviewed exceptions."""

from __future__ import annotations

import base64
import re
import socket
import ssl
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from crawl import tls
from crawl.connectto import ConnectTo
from crawl.errors import Misuse
from crawl.gate import Ticket
from crawl.huboptions import TlsException, TlsKind
from crawl.model import Request, Response
from crawl.policy import Policy
from crawl.tls import Contexts
from crawl.transport import Transport
from tests.loopback import NOON, Loopback, SetClock, feed, serving

HOST = "news.example.ac.kr"
UTC = timezone.utc  # noqa: UP017 - the name the certificates' own functions use
OAKLEY_2 = (
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6D"
    "F25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381"
    "FFFFFFFFFFFFFFFF"
)
"""The well-known 1,024-bit prime of RFC 2409 section 6.2: the short Diffie-Hellman group of old servers."""


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(ca: trustme.CA, tmp_path: Path) -> str:
    return written(tmp_path / "ca.pem", ca.cert_pem.bytes())


def written(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def server_side(chain: bytes, key: bytes, tmp_path: Path, ciphers: str = "") -> ssl.SSLContext:
    """A server's context that sends exactly this chain."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if ciphers:
        context.set_ciphers(ciphers)
    context.load_cert_chain(written(tmp_path / "chain.pem", chain), written(tmp_path / "key.pem", key))
    return context


@contextmanager
def speaking(
    cert: trustme.LeafCert, tmp_path: Path, *, only_leaf: bool = False, ciphers: str = ""
) -> Iterator[Loopback]:
    chain = cert.cert_chain_pems[:1] if only_leaf else cert.cert_chain_pems
    context = server_side(b"".join(pem.bytes() for pem in chain), cert.private_key_pem.bytes(), tmp_path, ciphers)
    with serving(feed(b"over tls"), tls=context) as here:
        yield here


@pytest.fixture
def tls_server(ca: trustme.CA, tmp_path: Path) -> Iterator[Loopback]:
    with speaking(ca.issue_cert(HOST), tmp_path) as here:
        yield here


def over_tls(here: Loopback, contexts: Contexts, host: str = HOST) -> Response:
    transport = Transport(SetClock(), Policy(), connect_to=ConnectTo(here.to_here()), tls=contexts)
    request = Request(f"https://{host}/rss", "feed", 1, "news")
    return transport.send(Ticket(1, request, HOST, HOST, NOON + Policy().request_max_s))


def exception(kind: TlsKind, certificate: str = "", server: str = HOST) -> TlsException:
    return TlsException(server, kind, certificate, "2026-12-01", "an old server, looked at")


# --- whose certificate counts


def test_tls_is_checked_for_the_registered_name_wherever_the_socket_goes(tls_server: Loopback, ca_file: str) -> None:
    response = over_tls(tls_server, Contexts(ca_file=ca_file))
    assert (response.status, response.body, response.error) == (200, b"over tls", None)
    assert (response.address, response.replayed) == ("127.0.0.1", True)
    assert tls_server.names == [HOST]
    assert b"\r\nHost: news.example.ac.kr\r\n" in tls_server.heads[0]


def test_an_environment_that_names_other_roots_changes_nothing(
    tls_server: Loopback, ca_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, ca_file)
    assert over_tls(tls_server, Contexts()).error == "tls_missing_intermediate"


@pytest.mark.parametrize("text", [None, "no certificate"])
def test_a_ca_file_that_holds_no_certificates_is_a_misuse(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "roots.pem"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Misuse, match=r"roots\.pem: no certificates"):
        Contexts(ca_file=str(path))


# --- named states


def refused(response: Response, here: Loopback) -> tuple[str | None, str]:
    """The state and the sentence of an answer that never came; nothing of the request was sent."""
    assert (response.status, response.body, here.heads) == (0, b"", [])
    assert response.error in tls.STATES
    assert response.error in re.split(r"[\s,.]+", Response.__doc__ or "")
    return response.error, response.detail


def test_a_server_whose_issuer_nobody_knows_is_refused(tls_server: Loopback) -> None:
    state, detail = refused(over_tls(tls_server, Contexts()), tls_server)
    assert (state, detail) == ("tls_missing_intermediate", "unable to get local issuer certificate")


def test_a_root_of_its_own_sent_along_is_untrusted(ca: trustme.CA, tmp_path: Path) -> None:
    cert = ca.issue_cert(HOST)
    chain = cert.cert_chain_pems[0].bytes() + ca.cert_pem.bytes()
    with serving(feed(), tls=server_side(chain, cert.private_key_pem.bytes(), tmp_path)) as here:
        state, detail = refused(over_tls(here, Contexts()), here)
    assert (state, "self-signed" in detail or "self signed" in detail) == ("tls_untrusted", True)


def test_a_certificate_for_another_name_is_refused(tls_server: Loopback, ca_file: str) -> None:
    response = over_tls(tls_server, Contexts(ca_file=ca_file), "other.example.ac.kr")
    assert refused(response, tls_server) == (
        "tls_wrong_name",
        "Hostname mismatch, certificate is not valid for 'other.example.ac.kr'",
    )


@pytest.mark.parametrize(("first", "last"), [(-9, -1), (1, 9)])
def test_a_certificate_out_of_its_time_is_refused(
    first: int, last: int, ca: trustme.CA, ca_file: str, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    cert = ca.issue_cert(HOST, not_before=now + timedelta(days=first), not_after=now + timedelta(days=last))
    with speaking(cert, tmp_path) as here:
        assert refused(over_tls(here, Contexts(ca_file=ca_file)), here)[0] == "tls_expired"


def test_a_certificate_with_a_short_key_is_weak(tmp_path: Path) -> None:
    key = rsa.generate_private_key(65537, 1024)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=9))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    pem = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    contexts = Contexts(ca_file=written(tmp_path / "ca.pem", pem))
    with serving(feed(), tls=server_side(pem, secret, tmp_path, "DEFAULT:@SECLEVEL=0")) as here:
        assert refused(over_tls(here, contexts), here)[0] == "tls_weak_certificate"


def test_a_server_that_knows_only_old_tls_is_too_old_and_no_exception_reads_it(
    ca: trustme.CA, ca_file: str, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        cert = ca.issue_cert(HOST)
        pems = b"".join(pem.bytes() for pem in cert.cert_chain_pems)
        context = server_side(pems, cert.private_key_pem.bytes(), tmp_path, "DEFAULT:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    kinds = [exception("weak_dh"), exception("legacy_renegotiation")]
    for contexts in (Contexts(ca_file=ca_file), Contexts(kinds, ca_file=ca_file)):
        with serving(feed(), tls=context) as here:
            assert refused(over_tls(here, contexts), here)[0] == "tls_too_old"


def test_a_plain_server_on_a_tls_port_is_a_tls_trouble(ca_file: str) -> None:
    with serving(lambda conn: conn.sendall(b"HTTP/1.1 400 Bad\r\n\r\n"), reads_head=False) as here:
        assert refused(over_tls(here, Contexts(ca_file=ca_file)), here) == ("tls", "wrong version number")


# --- reviewed exceptions: by server, and verified all the same


def test_a_missing_intermediate_is_lent_to_the_one_server_it_was_reviewed_for(
    ca: trustme.CA, ca_file: str, tmp_path: Path
) -> None:
    between = ca.create_child_ca()
    (tmp_path / "tls").mkdir()
    written(tmp_path / "tls" / "between.pem", between.cert_pem.bytes())
    lent = exception("missing_intermediate", "tls/between.pem")
    mended = Contexts([lent], folder=tmp_path, ca_file=ca_file)
    with speaking(between.issue_cert(HOST, f"www.{HOST}", "other.example"), tmp_path, only_leaf=True) as here:
        assert refused(over_tls(here, Contexts(ca_file=ca_file)), here)[0] == "tls_missing_intermediate"
        assert refused(over_tls(here, mended, "other.example"), here)[0] == "tls_missing_intermediate"
        assert over_tls(here, mended).body == b"over tls"
        assert over_tls(here, mended, f"www.{HOST}").body == b"over tls"


def test_a_lent_intermediate_is_no_root(ca: trustme.CA, tmp_path: Path) -> None:
    between = ca.create_child_ca()
    written(tmp_path / "between.pem", between.cert_pem.bytes())
    stranger = written(tmp_path / "ca.pem", trustme.CA().cert_pem.bytes())
    lent = Contexts([exception("missing_intermediate", "between.pem")], folder=tmp_path, ca_file=stranger)
    with speaking(between.issue_cert(HOST), tmp_path, only_leaf=True) as here:
        assert refused(over_tls(here, lent), here)[0] == "tls_missing_intermediate"


def test_an_intermediate_that_cannot_be_read_is_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"between\.pem: no certificate can be read.*news\.example\.ac\.kr"):
        Contexts([exception("missing_intermediate", "tls/between.pem")], folder=tmp_path)


@contextmanager
def short_dh(ca: trustme.CA, tmp_path: Path, ciphers: str) -> Iterator[Loopback]:
    """A server that prefers a 1,024-bit Diffie-Hellman exchange."""
    prime = bytes.fromhex("00" + OAKLEY_2)
    body = b"\x02\x81" + bytes([len(prime)]) + prime + b"\x02\x01\x02"
    der = base64.encodebytes(b"\x30\x81" + bytes([len(body)]) + body)
    group = b"-----BEGIN DH PARAMETERS-----\n" + der + b"-----END DH PARAMETERS-----\n"
    cert = ca.issue_cert(HOST, key_type=trustme.KeyType.RSA)
    pems = b"".join(pem.bytes() for pem in cert.cert_chain_pems)
    context = server_side(pems, cert.private_key_pem.bytes(), tmp_path, f"{ciphers}:@SECLEVEL=0")
    context.load_dh_params(written(tmp_path / "dh.pem", group))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_CIPHER_SERVER_PREFERENCE
    with serving(feed(b"over tls"), tls=context) as here:
        yield here


def test_a_short_diffie_hellman_key_is_named_and_the_exception_uses_another_exchange(
    ca: trustme.CA, ca_file: str, tmp_path: Path
) -> None:
    mended = Contexts([exception("weak_dh")], ca_file=ca_file)
    with short_dh(ca, tmp_path, "DHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256") as here:
        assert refused(over_tls(here, Contexts(ca_file=ca_file)), here) == ("tls_weak_dh", "dh key too small")
        assert over_tls(here, mended).body == b"over tls"
    with short_dh(ca, tmp_path, "DHE-RSA-AES128-GCM-SHA256") as here:
        assert refused(over_tls(here, mended), here)[0] == "tls"


def old_hello(conn: socket.socket) -> None:
    """A TLS 1.2 greeting without secure renegotiation (RFC 5746 section 3.4), as very old servers send it."""
    conn.recv(65_536)
    hello = b"\x03\x03" + bytes(32) + b"\x00" + b"\xc0\x2f" + b"\x00"
    message = b"\x02" + len(hello).to_bytes(3, "big") + hello
    conn.sendall(b"\x16\x03\x03" + len(message).to_bytes(2, "big") + message)
    with suppress(OSError):
        conn.shutdown(socket.SHUT_WR)


def test_H29_a_server_of_the_old_renegotiation_is_named_and_the_exception_lets_it_go_on(ca_file: str) -> None:
    mended = Contexts([exception("legacy_renegotiation")], ca_file=ca_file)
    with serving(old_hello, reads_head=False) as here:
        state, detail = refused(over_tls(here, Contexts(ca_file=ca_file)), here)
        assert (state, detail) == ("tls_legacy", "unsafe legacy renegotiation disabled")
        # It goes on past the greeting, to the certificate that this small server does not have.
        assert refused(over_tls(here, mended), here) != (state, detail)


def test_every_context_verifies_the_chain_and_the_name(ca: trustme.CA, tmp_path: Path) -> None:
    written(tmp_path / "between.pem", ca.create_child_ca().cert_pem.bytes())
    kinds = [exception("missing_intermediate", "between.pem"), exception("weak_dh"), exception("legacy_renegotiation")]
    contexts = Contexts(kinds, folder=tmp_path)
    for host in (HOST, f"m.{HOST}", "other.example"):
        context = contexts.of(host)
        assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
        assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
        assert context.security_level == contexts.of("other.example").security_level
        assert "@SECLEVEL=0" not in str(context.get_ciphers())
    assert contexts.of(f"m.{HOST}") is contexts.of(HOST) is not contexts.of("other.example")
