"""Typed client of the Tenant Application and Screening API."""

from .client import ScreeningClient, ScreeningError

__all__ = ["ScreeningClient", "ScreeningError"]
