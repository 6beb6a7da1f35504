"""Record all cassettes anew: `python -m tests.cassettes.record`.

Every request goes to a small server of this script's own on 127.0.0.1 (TLS with a throw-away CA), so nothing leaves
the machine. Look through the difference afterwards: what changed in a `request:` part is a changed promise (P01).
"""

from __future__ import annotations

import ssl
import tempfile

import trustme

from crawl.connectto import ConnectTo
from tests.cassettes import FOLDER, SHAPES, send, tape
from tests.loopback import feed, serving

BODY = "<rss version='2.0'><channel><title>한빛대신문</title></channel></rss>".encode()


def main() -> None:
    """Replace every cassette by a fresh one."""
    for old in FOLDER.glob("*.yaml"):
        old.unlink()
    ca = trustme.CA()
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ca.issue_cert("press.example.ac.kr").configure_cert(tls)
    answer = feed(BODY, "Content-Type: application/rss+xml; charset=utf-8", 'ETag: "5f3"')
    with (
        tempfile.NamedTemporaryFile(suffix=".pem") as roots,
        serving(answer) as plain,
        serving(answer, tls=tls) as https,
    ):
        roots.write(ca.cert_pem.bytes())
        roots.flush()
        to = ConnectTo((f":443:127.0.0.1:{https.port}", f"::127.0.0.1:{plain.port}"))
        for name in SHAPES:
            with tape(name, "once"):
                response = send(name, connect_to=to, ca_file=roots.name)
            assert response.error is None, f"{name}: {response.error} ({response.detail})"
            print(f"{name}: {response.status}, {response.body_bytes} bytes")


if __name__ == "__main__":
    main()
