"""Forbids network access beyond this machine."""

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

_LOCAL_NAMES = ("localhost", "", None)


class NetworkForbiddenError(AssertionError):
    """Code tried to reach another machine while that was forbidden."""


@contextmanager
def only_loopback() -> Iterator[None]:
    """Raise `NetworkForbiddenError` for connections and name look-ups beyond loopback, within the block."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _check_address(self.family, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _check_address(self.family, address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *rest: Any, **options: Any) -> Any:
        _check_address(socket.AF_INET, (host, 0))
        return look_up(host, *rest, **options)

    with (
        mock.patch.object(socket.socket, "connect", guarded_connect),
        mock.patch.object(socket.socket, "connect_ex", guarded_connect_ex),
        mock.patch.object(socket, "getaddrinfo", guarded_look_up),
    ):
        yield


def _check_address(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
        raise NetworkForbiddenError(f"a test tried to reach {address[0]}")


def _is_local(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
