"""How TLS goes wrong, by name, and the reviewed exceptions that let an old server be read, verified all the same."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from pathlib import Path

import certifi

from crawl.errors import Misuse
from crawl.hosts import folded
from crawl.huboptions import TlsException

STATES = frozenset({
    "tls", "tls_untrusted", "tls_missing_intermediate", "tls_expired", "tls_wrong_name", "tls_weak_certificate", "tls_weak_dh",
    "tls_legacy", "tls_too_old",
})  # fmt: skip
"""Every name a TLS trouble may have in `Response.error`; `tls` is what has no name of its own."""

# OpenSSL's verification results (x509_vfy.h), as Python hands them on in `verify_code`.
_BY_VERIFY_CODE = {
    2: "tls_missing_intermediate", 20: "tls_missing_intermediate", 21: "tls_missing_intermediate",
    9: "tls_expired", 10: "tls_expired",
    62: "tls_wrong_name", 64: "tls_wrong_name",
    66: "tls_weak_certificate", 67: "tls_weak_certificate", 68: "tls_weak_certificate",
}  # fmt: skip
_BY_REASON = {
    "DH_KEY_TOO_SMALL": "tls_weak_dh",
    "UNSAFE_LEGACY_RENEGOTIATION_DISABLED": "tls_legacy",
    "UNSUPPORTED_PROTOCOL": "tls_too_old",
    "TLSV1_ALERT_PROTOCOL_VERSION": "tls_too_old",
    "TLSV1_UNRECOGNIZED_NAME": "tls_wrong_name",
}
_WITHOUT_DHE = "DEFAULT:!kDHE:!PSK:!SRP:!aNULL:@SECLEVEL=2"
_LEGACY_CONNECT = 0x4
"""OpenSSL's SSL_OP_LEGACY_SERVER_CONNECT, which this Python has no name for before 3.12."""


def named(trouble: ssl.SSLError) -> tuple[str, str]:
    """The state and a short sentence for a handshake that failed.

    An issuer that is neither sent nor known counts as a missing intermediate; a root nobody knows looks the same from here.
    """
    if isinstance(trouble, ssl.SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(trouble.verify_code, "tls_untrusted"), trouble.verify_message.rstrip(".")
    reason = trouble.reason or ""
    return _BY_REASON.get(reason, "tls"), (reason or "the handshake failed").replace("_", " ").lower()


class Contexts:
    """The TLS contexts of a run: one for all servers, one each for those with a reviewed exception; all of them verify."""

    def __init__(
        self, exceptions: Iterable[TlsException] = (), *, folder: Path = Path("data"), ca_file: str | None = None
    ) -> None:
        """`folder`: where the certificates of exceptions lie; `ca_file`: PEM roots trusted instead of the public ones.

        Raises Misuse where one of these files is unfit.
        """
        self._roots = ca_file or certifi.where()
        self._common = self._context()
        self._own: dict[str, ssl.SSLContext] = {}
        for exception in exceptions:
            _make_exception(self._own.setdefault(exception.server, self._context()), exception, folder)

    def of(self, host: str) -> ssl.SSLContext:
        """The context for a host; `www.` and `m.` are folded as everywhere (P20)."""
        return self._own.get(folded(host), self._common)

    def _context(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cafile=self._roots)
        except OSError as unread:
            what = f"{self._roots}: no certificates can be read from this file; name a PEM file of roots"
            raise Misuse(what) from unread
        context.set_alpn_protocols(["http/1.1"])
        return context


def _make_exception(context: ssl.SSLContext, exception: TlsException, folder: Path) -> None:
    match exception.kind:
        case "missing_intermediate":
            # The chain must still reach a root: what was lent to fill a gap is no anchor, which Python 3.13 would make of it.
            context.verify_flags &= ~getattr(ssl, "VERIFY_X509_PARTIAL_CHAIN", 0)
            path = folder / exception.certificate
            try:
                context.load_verify_locations(path)
            except OSError as unread:
                what = f"{path}: no certificate can be read from this file; [[tls]] of {exception.server} names it"
                raise Misuse(what) from unread
        case "weak_dh":
            context.set_ciphers(_WITHOUT_DHE)
        case "legacy_renegotiation":
            context.options |= _LEGACY_CONNECT
