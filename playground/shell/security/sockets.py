"""Guard every socket: check who may open it, add ids to its log lines, and count it."""

from __future__ import annotations

import sys
from typing import Any

from playground.shell.security import metrics
from playground.shell.security.logs import concerning, new_request_id, run_in_path
from playground.web.origins import may_open_socket


def watched(application: Any) -> Any:
    """Wrap an ASGI application that serves sockets."""

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        opened = False

        async def counting(message: dict[str, Any]) -> None:
            nonlocal opened
            if message["type"] == "websocket.accept" and not opened:
                opened = True
                metrics.SOCKETS.inc()
            elif message["type"] == "websocket.send" and message.get("bytes") is not None:
                metrics.FRAMES.inc()
            await send(message)

        with concerning(run=run_in_path(scope.get("path", "")), request=new_request_id()):
            if not may_open_socket(scope):
                # A close before the acceptance: the answer to the handshake is 403.
                await send({"type": "websocket.close"})
                return
            try:
                await application(scope, receive, counting)
            finally:
                if opened:
                    metrics.SOCKETS.dec()

    return serve


#: Seconds in which a viewer may read the last messages and confirm that its socket closes.
CLOSING_S = 15


def patient_daphne() -> None:
    """Give slow viewers time to close their socket, where Daphne is what serves.

    Otherwise the connection is cut a second after the server has closed it, and a viewer that has not read the last
    frames by then loses them, with the reason for the end.
    """
    server = sys.modules.get("daphne.server")
    if server is not None:
        vars(server)["WebSocketFactory"] = patient(server.WebSocketFactory)


def patient(factory: Any) -> Any:
    """Return a class of Daphne's socket factories whose sockets wait `CLOSING_S` for the viewer to close."""

    class PatientFactory(factory):  # type: ignore[misc]  # Daphne has no types
        def resetProtocolOptions(self) -> None:
            super().resetProtocolOptions()
            self.closeHandshakeTimeout = CLOSING_S

    return PatientFactory
