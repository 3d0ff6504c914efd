"""Find where the objects of a JSON list begin and end, block by block, without reading what is in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine.jit import kernel

# Slots of the scanner's state, int64. Places are offsets in the current block; the caller moves them between blocks.
DEPTH, IN_TEXT, ESCAPED, ROOT, INNER, START, ROOT_START, ITEMS, TEXT_START, AT = range(10)
STATE_SLOTS = 10

# What an event says: a text at the top of the document, a list there, one object of a list, a document without lists,
# the begin of a document.
TEXT, LIST, ITEM, WHOLE, OPENED = range(5)

# What the scanner returns: the block's end, no room for another event, brackets that do not match, too many levels.
END, FULL, UNMATCHED, TOO_DEEP = range(4)

_QUOTE, _BACKSLASH, _OPEN_LIST, _CLOSE_LIST, _OPEN, _CLOSE = 34, 92, 91, 93, 123, 125
_BLANKS = (9, 10, 13, 32, 44, 58)


@kernel
def scan(
    block: NDArray[np.uint8], stop: int, state: NDArray[np.int64], events: NDArray[np.int64], deepest: int
) -> tuple[int, int]:
    """Scan block[AT:stop]; write (what, start, end) into `events` (n, 3); return (events, END, FULL or what is wrong).

    An object of a list is one in a list at the top of the document (`{"items": [{...}]}`) or in a list that is the
    document (`[{...}]`). `state` (STATE_SLOTS,) carries over to the next block.
    """
    found, i = 0, state[AT]
    depth, in_text, escaped = state[DEPTH], state[IN_TEXT], state[ESCAPED]
    while i < stop:
        c = block[i]
        if in_text == 1:
            if escaped == 1:
                escaped = 0
            elif c == _BACKSLASH:
                escaped = 1
            elif c == _QUOTE:
                in_text = 0
                if depth == 1 and state[ROOT] == _OPEN:
                    events[found, 0], events[found, 1], events[found, 2] = TEXT, state[TEXT_START] + 1, i
                    found += 1
        elif c == _QUOTE:
            in_text = 1
            state[TEXT_START] = i
        elif c in (_OPEN, _OPEN_LIST):
            if depth == 0:
                state[ROOT], state[INNER], state[ROOT_START], state[ITEMS] = c, 0, i, 0
                events[found, 0], events[found, 1], events[found, 2] = OPENED, i, i
                found += 1
            elif depth == 1:
                state[INNER] = c
                if state[ROOT] == _OPEN and c == _OPEN_LIST:
                    events[found, 0], events[found, 1], events[found, 2] = LIST, i, i
                    found += 1
            inside = depth == 1 if state[ROOT] == _OPEN_LIST else (depth == 2 and state[INNER] == _OPEN_LIST)
            if inside and c == _OPEN:
                state[START] = i
                state[ITEMS] += 1
            depth += 1
            if depth > deepest:
                return found, TOO_DEEP
        elif c in (_CLOSE, _CLOSE_LIST):
            depth -= 1
            if depth < 0:
                return found, UNMATCHED
            if state[START] >= 0 and depth == (1 if state[ROOT] == _OPEN_LIST else 2):
                events[found, 0], events[found, 1], events[found, 2] = ITEM, state[START], i + 1
                found += 1
                state[START] = -1
            if depth == 0:
                if state[ITEMS] == 0:
                    events[found, 0], events[found, 1], events[found, 2] = WHOLE, state[ROOT_START], i + 1
                    found += 1
                state[ROOT_START] = -1
        elif depth == 0 and c not in _BLANKS:
            return found, UNMATCHED
        i += 1
        if found > len(events) - 3:
            state[AT], state[DEPTH], state[IN_TEXT], state[ESCAPED] = i, depth, in_text, escaped
            return found, FULL
    state[AT], state[DEPTH], state[IN_TEXT], state[ESCAPED] = i, depth, in_text, escaped
    return found, END
