"""Choose a page's language: the address's `?lang=`, then the cookie, then the browser's preference."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

_YEAR_S = 365 * 24 * 3600


class LanguageMiddleware(LocaleMiddleware):
    """Choose as Django does, by cookie and `Accept-Language`, unless the address names one; the cookie keeps it."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the request's language."""
        asked = _asked(request)
        if asked is None:
            super().process_request(request)
            return
        translation.activate(asked)
        request.LANGUAGE_CODE = asked

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Name the language, what it depends on, and keep one that the address named.

        A file that never changes has no language: with a `Vary`, browsers would fetch it again for another cookie.
        """
        if "immutable" in response.get("Cache-Control", ""):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        patch_vary_headers(answer, ("Cookie",))
        asked = _asked(request)
        if asked is not None:
            answer.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                asked,
                max_age=_YEAR_S,
                samesite="Lax",
                secure=settings.SECURE_COOKIES,
                httponly=True,
            )
        return answer


def _asked(request: HttpRequest) -> str | None:
    code = request.GET.get("lang", "")
    return code if code in dict(settings.LANGUAGES) else None
