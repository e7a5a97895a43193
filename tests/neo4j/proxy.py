"""A TCP proxy on loopback whose connections a test can cut."""

import socket
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit


class Proxy:
    """Forwards bytes to a server until `cut` is called. New connections work again afterwards."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self._target = (address.hostname, address.port)
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Drop every open connection."""
        while self._open:
            _end(self._open.pop())

    def close(self) -> None:
        _end(self._listener)
        self.cut()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                self._open += [client, server]
                for source, target in ((client, server), (server, client)):
                    Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    _end(source)
    _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
