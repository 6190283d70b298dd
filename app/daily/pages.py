"""The daily deal on the web."""

from fastapi import APIRouter

router = APIRouter()
