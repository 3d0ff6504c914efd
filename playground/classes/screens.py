"""The projector of a class on another computer: a code on the teacher's page admits a browser to the projector's page.

The code is that of the students, and letters that the server derives from a secret: nothing is stored with the class.
An admitted browser sees what the projector shows. It may not change the class, except for whose run the wall opens.
"""

from __future__ import annotations

import hmac
import re
from importlib import import_module

from django.conf import settings
from django.http import HttpRequest

from playground.classes.names import CODE_LENGTH, CODE_LETTERS, typed_code
from playground.classes.rooms import class_of_code, get_class, own_class
from playground.errors import PlaygroundError, problem
from playground.ground.viewers import Viewer
from playground.models import Classroom
from playground.web.access import viewer_of
from playground.web.rates import address_of, count_wrong_code, is_guessing

#: 64 million endings of each code: an address may try about a hundred in a minute.
SECRET_LETTERS = 6
_ADMITTED = "screens"
_MOST_ADMITTED = 20


def screen_code(classroom: Classroom) -> str:
    """Return the code that opens a class's projector page on another computer; empty once the class's code ran out."""
    if not classroom.code:
        return ""
    about = f"screen {classroom.public_id} {classroom.code} {classroom.owner_token_hash}"
    drawn = hmac.new(settings.SECRET_KEY.encode(), about.encode(), "sha256").digest()
    return classroom.code + "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in drawn[:SECRET_LETTERS])


def admit(request: HttpRequest, *, typed: str) -> Classroom:
    """Admit this browser to the projector page that a code opens. Raises PlaygroundError for a wrong code."""
    code, address = re.sub(r"[\s.-]", "", typed[:40]).upper(), address_of(request)
    found = None if is_guessing(address) else class_of_code(typed_code(code[:CODE_LENGTH]))
    if found is None or not hmac.compare_digest(code.encode(), screen_code(found).encode()):
        count_wrong_code(address)
        item = problem(
            "code", "is not the code of a projector page", allowed="the letters on the teacher's page",
            remedy="Check the letters on the teacher's page and type them again.",
        )  # fmt: skip
        raise PlaygroundError(404, "not-found", "No projector page has this code", (item,))
    viewer_of(request, make_session=True)
    admitted = [one for one in request.session.get(_ADMITTED, []) if one != found.public_id]
    request.session[_ADMITTED] = [*admitted, found.public_id][-_MOST_ADMITTED:]
    return found


def shows(classroom: Classroom, viewer: Viewer) -> bool:
    """Tell whether a viewer may see the projector's page: the class's teacher, and an admitted browser."""
    return viewer.owns(classroom) or is_admitted(classroom, viewer)


def is_admitted(classroom: Classroom, viewer: Viewer) -> bool:
    """Tell whether a code has admitted a browser to the class's projector page; it may stay as long as the code.

    Computers of lecture halls are shared: who comes later sees no class that is over.
    """
    if not viewer.session_key or not classroom.code:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(viewer.session_key)
    return bool(classroom.public_id in session.get(_ADMITTED, []))


def shown_class(*, public_id: str, viewer: Viewer) -> Classroom:
    """Return a class of the viewer's, or one whose projector the viewer's browser shows. Raises PlaygroundError."""
    found = get_class(public_id=public_id)
    return found if is_admitted(found, viewer) else own_class(public_id=public_id, viewer=viewer)
