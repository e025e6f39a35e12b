"""Calls the API with one API key."""

from __future__ import annotations

import base64
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from email.message import Message
from typing import Any

from .contract import FieldError, Operations

# A token is replaced this long before it expires.
SPARE_SECONDS = 60


class ScreeningError(Exception):
    """A response that is no success. Decide by ``status``; ``message`` is for people."""

    def __init__(self, status: int, headers: Message, body: dict[str, Any]) -> None:
        self.status = status
        self.message: str = body.get("message") or f"The server answered {status} without an error message."
        self.errors: list[FieldError] = body.get("errors") or []
        self.request_id: str | None = headers.get("X-Request-Id")
        after = headers.get("Retry-After") or ""
        self.retry_after_seconds: int | None = int(after) if after.isdigit() else None
        super().__init__(self.message)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the credentials to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class ScreeningClient(Operations):
    """Calls the API with one API key, from any thread.

    It gets access tokens when it needs them. It never repeats a request, except once with a new token after a 401, when the
    service has not acted on it.
    """

    def __init__(self, base_url: str, client_id: str, client_secret: str, timeout_seconds: float = 30) -> None:
        self._base_url = base_url.rstrip("/")
        self._credentials = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._timeout_seconds = timeout_seconds
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._lock = threading.Lock()
        self._token = ""
        self._token_until = 0.0

    def _send(self, method: str, path: str, params: dict[str, str], body: object = None) -> Any:
        token = self._current_token()
        try:
            return self._request(method, path, params, body, f"Bearer {token}")
        except ScreeningError as error:
            if error.status != 401:
                raise
        return self._request(method, path, params, body, f"Bearer {self._current_token(refused=token)}")

    def _current_token(self, refused: str | None = None) -> str:
        """One token for all threads; another than the one that was refused."""
        with self._lock:
            if time.monotonic() >= self._token_until or self._token == refused:
                data = self._request("POST", "/authenticate/token", {}, None, f"Basic {self._credentials}")["data"]
                self._token = data["access_token"]
                self._token_until = time.monotonic() + data["expires_in"] - SPARE_SECONDS
            return self._token

    def _request(self, method: str, path: str, params: dict[str, str], body: object, authorization: str) -> Any:
        def quoted(found: re.Match[str]) -> str:
            return urllib.parse.quote(params[found[1]], safe="")

        query = {name: value for name, value in params.items() if "{" + name + "}" not in path}
        address = self._base_url + re.sub(r"\{(\w+)\}", quoted, path)
        if query:
            address += "?" + urllib.parse.urlencode(query)
        headers = {"Authorization": authorization}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise ScreeningError(error.code, error.headers, _error_in(error.read())) from None


def _error_in(body: bytes) -> dict[str, Any]:
    """The error envelope; empty when a proxy answered with something else."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
