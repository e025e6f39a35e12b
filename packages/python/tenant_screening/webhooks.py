"""Verifies deliveries in the scheme of Standard Webhooks, whose own package for Python brings an HTTP client."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from .contract import EVENTS, ScreeningEvent

TOLERANCE_SECONDS = 5 * 60


class WebhookError(Exception):
    """The delivery is not ours, or too old: answer 400."""


@dataclass(frozen=True)
class Delivery:
    # The same in every retry: store it with a unique key, and answer 204 when it is there already.
    id: str
    # None for an event that this version does not know: answer 204 then.
    event: ScreeningEvent | None


def verify_webhook(body: bytes, headers: Mapping[str, str], *secrets: str) -> Delivery:
    """Verifies the raw body of a delivery. Several secrets may be valid while you change yours."""
    found = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = found.get("webhook-id", ""), found.get("webhook-timestamp", "")
    signatures = found.get("webhook-signature", "").split()
    if not message_id or not timestamp.isascii() or not timestamp.isdigit() or not signatures:
        raise WebhookError("The delivery is not signed.")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookError("The delivery is too old, or a clock is wrong.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = [_signature(secret, signed) for secret in secrets]
    # Every pair is compared: the time must not tell which one matches.
    matches = [hmac.compare_digest(given.encode(), ours) for given in signatures for ours in expected]
    if not any(matches):
        raise WebhookError("No signature matches.")
    event = json.loads(body)
    return Delivery(message_id, event if event.get("event") in EVENTS else None)


def _signature(secret: str, signed: bytes) -> bytes:
    digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    return b"v1," + base64.b64encode(digest)


def _key_of(secret: str) -> bytes:
    """Base64 with or without ``whsec_``; any other text as it is."""
    encoded = secret.removeprefix("whsec_")
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return secret.encode()
    return key if key and base64.b64encode(key).decode() == encoded else secret.encode()
