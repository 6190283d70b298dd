"""Publish/subscribe: notices of new versions, and presence."""
