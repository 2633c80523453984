"""flavourbench from Python over HTTP (`flavourbench serve`): the same `ask` as over a pipe, the standard library alone."""

import http.client
import json
import threading
import urllib.parse

from flavourbench_pipe import FlavourbenchError


class FlavourbenchServer:
    """A server: `FlavourbenchServer("http://127.0.0.1:8080", token=...)`. Each thread keeps a connection of its own."""

    def __init__(self, address, token=None, timeout=60):
        url = urllib.parse.urlsplit(address)
        self._secure, self._host, self._timeout = url.scheme == "https", url.netloc, timeout
        self._headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
        self._threads = threading.local()

    def _connection(self, fresh=False):
        if fresh or not hasattr(self._threads, "connection"):
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            self._threads.connection = kind(self._host, timeout=self._timeout)
        return self._threads.connection

    def ask(self, op, **fields):
        """The answer to one request; FlavourbenchError where it is refused."""
        body = json.dumps(fields, allow_nan=False).encode()
        for fresh in (False, True):
            try:
                connection = self._connection(fresh)
                connection.request("POST", f"/v1/{op}", body, self._headers)
                reply = json.loads(connection.getresponse().read())
                break
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                if fresh:
                    raise
        if "error" in reply:
            raise FlavourbenchError(reply["error"])
        return reply
