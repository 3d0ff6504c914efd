"""The fourteen schedulers that the paper maps to stages: what it prints about them, and their columns.

Symbols: `#` full, `~` partly, `.` not. The symbols of a row and their order are printed (`symbols`); blanks are not, so
the column of a symbol was found by constraints (`columns`): order, group percentages, the paper's Tables II, III, VIII
and its prose. Where several columns are possible, a letter says which symbols the cell may have (`CANDIDATES`).
`chosen` is one assignment that meets everything, picked by preferring core stages: synthetic, not the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CANDIDATES = {"a": ".#", "b": ".~", "c": ".~#", "d": "~#"}
"""Symbols that an undetermined cell may have."""


@dataclass(frozen=True)
class Row:
    """A scheduler's row in one group: the published percentage, and its symbols."""

    published: int
    symbols: str
    columns: str
    chosen: str


@dataclass(frozen=True)
class System:
    """A published scheduler. `year` is of the cited paper; `era` is before or since 2010.

    `selected` are the symbols of T1, T2, R4 and R5 that stand beside the percentages in the paper's Table II, without
    blanks. `by_prose` names stages whose cell follows only with the paper's prose or the order of its top-ten tables.
    """

    name: str
    year: int
    origin: Literal["academia", "industry"]
    era: Literal["before", "since"]
    clusters: Literal["single", "multi"]
    selected: str
    jobs: Row
    tasks: Row
    management: Row
    resources: Row
    by_prose: tuple[str, ...] = ()

    def row(self, group: str) -> Row:
        """Return the row of a group: J, T, M or R."""
        return {"J": self.jobs, "T": self.tasks, "M": self.management, "R": self.resources}[group]


_row = Row

SYSTEMS: tuple[System, ...] = (
    System("Condor", 2002, "academia", "before", "multi", "####",
           _row(64, "#~###", "#..~###", "#..~###"),
           _row(88, "##~########", "##~#######.#", "##~#######.#"),
           _row(28, "##", "aaaaaaa", "#.#...."),
           _row(71, "#####", "aaa##a.", "#####..")),
    System("Mesos", 2011, "academia", "since", "multi", "##",
           _row(14, "#", "#......", "#......"),
           _row(46, "~#####", "..~#aaaa.aaa", "..~#.###.#.."),
           _row(0, "", ".......", "......."),
           _row(71, "#####", "aaa##aa", "#.###.#")),
    System("Borg", 2015, "industry", "since", "multi", "~~##",
           _row(57, "##~~#", "##~~.#.", "##~~.#."),
           _row(79, "~~########~", "~~a#a#aa###~", "~~##.######~"),
           _row(0, "", ".......", "......."),
           _row(64, "####~", "a.###a~", "#.###.~"), by_prose=("J3", "J5", "T6", "T9", "R3")),
    System("Fuxi", 2014, "industry", "since", "multi", "~#~",
           _row(57, "#~~##", "#bb~##.", "#.~~##."),
           _row(54, "~~~#####", "~.b~acaa.##a", "~.~~###..##."),
           _row(0, "", ".......", "......."),
           _row(50, "##~#", "a.a#~aa", "#..#~.#"), by_prose=("J4", "J5", "T1", "T2", "T9")),
    System("Autopilot", 2007, "industry", "before", "single", "~",
           _row(36, "#~#", "#..~.#.", "#..~.#."),
           _row(46, "~#####", "..~#aaaaa##a", "..~#.##..##."),
           _row(0, "", ".......", "......."),
           _row(29, "~#~", "~.#.~..", "~.#.~.."), by_prose=("T1", "T2", "T3", "T4", "R5", "R6")),
    System("Sparrow", 2013, "academia", "since", "single", "~",
           _row(21, "#~", "#..~...", "#..~..."),
           _row(33, "~~###", "bb~#aaaa.aaa", "~.~#.##....."),
           _row(57, "####", "aaaaaaa", "..##.##"),
           _row(0, "", ".......", "......."), by_prose=("J4", "J5")),
    System("Pegasus", 2016, "academia", "since", "multi", "#~",
           _row(71, "#~~###", "#bb~###", "#~.~###"),
           _row(63, "#~###~#~#", "acc#accc.caa", ".#~###~#.~#."),
           _row(0, "", ".......", "......."),
           _row(36, "#~#", "acc.bca", "#...~#.")),
    System("Quincy", 2009, "industry", "before", "single", "#",
           _row(43, "#~#~", "#bbda~.", "#..~#~."),
           _row(50, "~###~~#~", "..~###~.bda~", "..~###~.~#.~"),
           _row(0, "", ".......", "......."),
           _row(28, "##", "a.a.#a.", "#...#..")),
    System("ICENI", 2004, "academia", "before", "single", "~#",
           _row(50, "#~~~#", "#bb~~#.", "#.~~~#."),
           _row(33, "~~~##~", "bbbbcccc.c.b", "~.~~.##~...."),
           _row(0, "", ".......", "......."),
           _row(57, "####", "aaa.#a.", "###.#..")),
    System("Firmament", 2016, "academia", "since", "single", "~###",
           _row(14, "#", "#......", "#......"),
           _row(29, "~###", "~#a#aaaa.aaa", "~###........"),
           _row(28, "##", "aaaaaaa", ".##...."),
           _row(57, "####", "aaa##aa", "##.##..")),
    System("Apollo", 2014, "industry", "since", "single", "####",
           _row(85, "######", "######.", "######."),
           _row(75, "#########", "##a#aaaa.##a", "####.##..###"),
           _row(100, "#######", "#######", "#######"),
           _row(57, "####", "a.a##aa", "#.###.."), by_prose=("T9",)),
    System("Askalon", 2005, "academia", "before", "multi", "~",
           _row(71, "#####", "#..####", "#..####"),
           _row(8, "~~", "bbbbbbbb.b.b", "~.....~....."),
           _row(14, "#", "aaaaaaa", "..#...."),
           _row(14, "#", "aaa..a.", "#......")),
    System("Triana", 2004, "academia", "before", "single", "##~",
           _row(43, "#~#~", "#..~#~.", "#..~#~."),
           _row(42, "##~~##", "##bbbccc.a.a", "##~.~##....."),
           _row(7, "~", "bbbbbbb", "..~...."),
           _row(14, "~~", "bbb.~b.", "~...~..")),
    System("Dryad", 2007, "industry", "before", "multi", "#~~",
           _row(64, "##~##", "#acda#.", "##~#.#."),
           _row(71, "#######~#", "#.a#aaaacda.", "#.#####.#~#."),
           _row(71, "###~~~~", "###~~~~", "###~~~~"),
           _row(43, "##~~", "#.#~~..", "#.#~~.."), by_prose=("T1", "T2", "T4")),
)  # fmt: skip

_BY_NAME = {system.name: system for system in SYSTEMS}


def system_by_name(name: str) -> System:
    """Return one of the fourteen; KeyError for another."""
    return _BY_NAME[name]
