"""Certificates of servers, which `openssl` makes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.platform.test_reachability import Server, answer, saying
from widgetschema.errors import Unreachable
from widgetschema.platform.reachability import probe


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that signed itself, with its key."""
    folder = tmp_path_factory.mktemp("certificate")
    command = (
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        f"-addext subjectAltName=DNS:localhost -keyout {folder}/key -out {folder}/certificate"
    )
    subprocess.run(command.split(), check=True, capture_output=True)
    return folder


@contextlib.contextmanager
def tls(certificate: Path) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "certificate", certificate / "key")

    class Secure(Server):
        def _serve(self, connection: socket.socket) -> None:
            with (
                contextlib.suppress(OSError),
                context.wrap_socket(connection, server_side=True) as secured,
            ):
                super()._serve(secured)

    server = Secure(saying(answer(204)))
    try:
        yield server
    finally:
        server.listener.close()


def test_certificates(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tls(certificate) as server:
        with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
            probe(f"https://localhost:{server.port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate"))
        assert probe(f"https://localhost:{server.port}") == 204
        with pytest.raises(Unreachable, match="not valid for"):  # the wrong name
            probe(f"https://127.0.0.1:{server.port}")
