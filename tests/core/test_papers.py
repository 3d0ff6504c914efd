"""The papers' claims as data: all are there, their verdicts are those of the tests, and no tick stands for free."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from scheduler_core.claims import Claim, Found, check, known_claims
from scheduler_core.claims.outside import Missing
from scheduler_core.claims.over_seeds import saved_verdict
from scheduler_core.claims.papers import PROGRAMS, page_of, papers, standing
from scheduler_core.claims.results import (
    Result,
    asked_digest,
    code_digest,
    plain_code,
    plain_sources,
    save_results,
    saved_results,
)
from scheduler_core.claims.running import experiment_of, experiments_of, wanted_figures
from scheduler_core.cli.main import main
from scheduler_core.experiment import Experiment
from scheduler_core.experiment.places import with_changes
from scheduler_core.schedulers import SCHEDULERS

CLAIMS = [claim for paper in papers().values() for claim in paper.claims]
IDS = """
megha-f3-4-tail megha-f6-central megha-f7-components megha-f8-size megha-f9-gmlm megha-f10-11-fair megha-f12-proto
megha-median-vs-hydra megha-median-vs-sparrow megha-fair-shares sirius-f3-toy sirius-f4-toy sirius-f5-toy
sirius-f7-snp sirius-f8-gpu sirius-f9-delay sirius-f10-11-prio sirius-f12-13-ics sirius-f14-15-overhead sirius-cs-100k
refarch-t11-askalon refarch-t12-chronos refarch-f7-8-trt refarch-f9-10-time refarch-t2 refarch-t3 refarch-t8
carbyne-f2-toy carbyne-f1-4-fair carbyne-f4-jct carbyne-f4-makespan carbyne-f5-online carbyne-t3 carbyne-f7-jobs
carbyne-f8-dissect carbyne-who-slows carbyne-t4-sim carbyne-f9-load carbyne-f10-error carbyne-f11-altruism
carbyne-f12-dagps carbyne-tetrisfair carbyne-leftover carbyne-leftover-resources carbyne-corr carbyne-locality
carbyne-stragglers carbyne-overhead phoenix-abs-p99-eagle phoenix-abs-hawk phoenix-f2-queue phoenix-f4-eagle
phoenix-t2-slowdown phoenix-fair-long phoenix-share
phoenix-negotiation phoenix-affinity sparrow-ideal hawk-vs-sparrow eagle-vs-hawk firmament-quincy
quincy-data yaq mercury tetris graphene choosy fuxi
"""
PRESETS = Path(__file__).resolve().parents[2] / "fixtures" / "presets"
SOFT = {"constraints.soft": [{"name": "ethernet_speed"}, {"name": "cpu_clock"}]}
RECORDED = {"source": "test", "id": "a-claim", "says": "It is so.", "kind": "ratio", "held": "By hand."}
PART = {"name": "x", "ours": 2, "band": {"least": 1}, "verdict": "reproduced"}


def test_each_claim_of_a_paper_has_an_entry() -> None:
    assert sorted(claim.id for claim in CLAIMS) == sorted(IDS.split())


def test_each_paper_names_its_main_claim_and_schedulers_that_exist() -> None:
    names = {spec.name for spec in SCHEDULERS}
    for paper in papers().values():
        assert (*paper.claims, *paper.besides)[0].id == paper.main
        assert set(paper.schedulers) <= names


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_claim_says_how_it_is_known_and_why_it_is_missed(claim: Claim) -> None:
    if claim.missing:
        return
    assert claim.parameters
    assert claim.why_band
    assert (claim.expected == "reproduced") or claim.reason
    figures = [part.published for part in claim.recorded] + [measure.published for measure in claim.measures]
    told = claim.published or any(figure is not None for figure in figures)
    assert told or claim.kind == "exact"


CAUSES = ("The setting is unknown", "Our reading differs", "The claim does not hold in this model", "The seeds differ")


def test_each_miss_begins_its_reason_with_the_kind_of_its_cause() -> None:
    besides = [claim for paper in papers().values() for claim in paper.besides]
    for claim in [*CLAIMS, *besides]:
        if claim.reason:
            assert claim.reason.startswith(CAUSES), claim.id


def test_every_comparison_with_a_program_stands_on_the_page_of_a_paper() -> None:
    shown = {claim.id for paper in papers().values() for claim in paper.besides}
    assert shown == {one.id for one in known_claims().values() if one.source in (PROGRAMS, "costs", "subtraces")}
    assert all(page_of(known_claims()[name]) for name in shown)
    assert page_of(known_claims()["hawk-vs-sparrow"]) == "hawk"
    assert page_of(known_claims()["altruism-gives"]) == ""


def test_a_tick_needs_a_reproduced_claim_whose_parameters_were_given_or_assumed() -> None:
    for claim in CLAIMS:
        ticked = standing(claim) == "tick"
        assert ticked == (saved_verdict(claim) == "reproduced" and claim.known in ("given", "assumed"))
    assert standing(known_claims()["refarch-t3"]) == "reproduced"
    assert standing(known_claims()["carbyne-f2-toy"], "sign only") == "sign only"


def test_a_band_around_a_published_effect_is_a_quarter_of_it_wide() -> None:
    """A paper that says “at least” has no upper end, and a percentage none above 100."""
    held = [(claim, one) for claim in CLAIMS for one in claim.measures if one.no_effect is not None]
    assert {claim.id for claim, _ in held} >= {"mercury", "yaq", "hawk-vs-sparrow", "carbyne-f11-altruism"}
    for claim, one in held:
        assert one.published is not None
        quarter = abs(one.published - one.no_effect) / 4  # type: ignore[operator]
        most = min(one.published + quarter, 100 if one.unit == "%" else math.inf)
        assert one.band.least == pytest.approx(one.published - quarter), (claim.id, one.name)
        assert one.band.most == (None if "At least" in claim.published else pytest.approx(most)), (claim.id, one.name)
        assert one.sign is not None
        assert one.sign.holds(one.published)
        assert not one.sign.holds(one.no_effect)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"recorded": [PART | {"ours": 0.5}]},
        {"recorded": [PART | {"verdict": "not reproduced"}]},
        {"recorded": [PART], "expected": "sign only"},
        {"recorded": [PART], "held": ""},
        {"recorded": [{"name": "x", "verdict": "not reproduced"}], "expected": "not reproduced"},
    ],
)
def test_a_record_that_contradicts_itself_is_refused(changes: dict[str, object]) -> None:
    assert Claim.model_validate(RECORDED | {"recorded": [PART]})
    with pytest.raises(ValidationError):
        Claim.model_validate(RECORDED | changes)


def test_a_recorded_claim_is_not_run_and_keeps_its_verdict() -> None:
    claim = known_claims()["sirius-cs-100k"]
    assert check(claim) == Found(id=claim.id, verdict="not reproduced", figures={}, seeds=())


def test_few_claims_are_recorded_only_and_say_who_measured_them() -> None:
    """What takes processor time or memory of a machine is no run's outcome; all other claims run."""
    recorded = [claim for claim in CLAIMS if not claim.runs and not claim.missing]
    assert {claim.id for claim in recorded} == {"sirius-f12-13-ics", "sirius-f14-15-overhead", "sirius-cs-100k"}
    assert all("bench.flow_claims" in claim.held for claim in recorded)


@pytest.mark.parametrize(
    ("preset", "claim", "setup", "besides"),
    [
        ("sirius-snp", "sirius-f7-snp", "mixed_quincy", {}),
        ("sirius-gpu", "sirius-f8-gpu", "plain_sirius", {}),
        ("sirius-priority", "sirius-f10-11-prio", "first_sirius", {}),
        ("phoenix-crv", "phoenix-abs-p99-eagle", "cloudera_phoenix", SOFT),
    ],
)
def test_presets_are_experiments_of_claims(preset: str, claim: str, setup: str, besides: dict[str, object]) -> None:
    """The other presets of claims are read by the claims themselves."""
    ours = Experiment.from_file(PRESETS / f"{preset}.json")
    made = with_changes(experiment_of(known_claims()[claim], setup, 1).to_dict(), besides)
    assert ours.digest() == Experiment.parse(made).digest()
    assert "?" in ours.question
    assert "synthetic" in ours.name.lower()


def test_results_are_kept_by_claim_with_the_code_and_the_claim_they_are_of(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    names = ("carbyne-f2-toy", "sirius-f4-toy")
    one, two = (Found(id=name, verdict="reproduced", figures={"x": (1.0, None)}, seeds=(1, 2)) for name in names)
    save_results([one], path)
    save_results([two], path)
    kept = saved_results(path)
    assert [kept[name].found for name in names] == [one, two]
    assert kept[names[0]].current
    assert set(kept[names[0]].experiments) == {"carbyne", "drf"}
    for changes in ({"code": "other"}, {"asked": "other"}):
        assert not Result.model_validate(kept[names[0]].model_dump() | changes).current
    path.write_text(json.dumps({"format": 0, "results": {}}))
    assert saved_results(path) == {}
    assert saved_results(tmp_path / "none.json") == {}


def test_no_figure_imports_what_its_digest_omits() -> None:
    """Nothing that counts imports `ask/` or `inventory/`, and only the family `own` imports `policy/`."""
    omitted = re.compile(r"^\s*(?:from|import) scheduler_core\.(ask|inventory|policy)\b", re.MULTILINE)
    found = {name: set(omitted.findall(source.decode())) for name, source in plain_sources()}
    own = {name: rooms for name, rooms in found.items() if rooms and not name.startswith("policy/")}
    assert own
    assert all(name.startswith("schedulers/own/") and rooms == {"policy"} for name, rooms in own.items()), own


def test_results_stay_current_where_only_comments_and_docstrings_change(tmp_path: Path) -> None:
    family = tmp_path / "schedulers" / "shared_state"
    family.mkdir(parents=True)
    (tmp_path / "cli").mkdir()
    one, beside = tmp_path / "one.py", tmp_path / "cli" / "two.py"

    def digest(text: str, other: str = "") -> str:
        one.write_text(text)
        beside.write_text(other)
        plain_sources.cache_clear()
        return code_digest.__wrapped__(("probing",), tmp_path)

    first = digest('"""Doc."""\nx = "a # b"  # why\n')
    assert first == digest('"""Another\ntext."""\n\n# more\nx = "a # b"\n', "y = 1")
    assert first != digest('x = "a # c"\n')
    (family / "omega.py").write_text("z = 1\n")
    assert first == digest('x = "a # b"\n'), "another family's"
    (tmp_path / "schedulers" / "probing").mkdir()
    (tmp_path / "schedulers" / "probing" / "signature.py").write_text("z = 2\n")
    (tmp_path / "studies").mkdir()
    (tmp_path / "studies" / "grid.py").write_text("z = 3\n")
    assert first == digest('x = "a # b"\n'), "a signature, and what studies are made of"
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "words.py").write_text("z = 4\n")
    assert first == digest('x = "a # b"\n'), "what the family own alone imports"
    assert first != code_digest.__wrapped__(("shared-state",), tmp_path)
    assert code_digest.__wrapped__(("own",), tmp_path) != first
    assert plain_code('say("A sentence for "\n    "people, of {count}.")\nuse("a b c d", "Two words")') == (
        'say("")\nuse("a b c d", "Two words")'
    )
    assert plain_code('x = f("""kept # this""")\n    """Not\n    this."""\n') == 'x = f("""kept # this""")'


@pytest.mark.wide
def test_saved_results_are_of_today_s_experiments() -> None:
    """A change of a preset or of a default makes another experiment of a claim: its results are to be made again."""
    for name, result in saved_results().items():
        claim, full = known_claims()[name], result.found.full
        assert result.asked == asked_digest(claim), name
        try:
            made = experiments_of(claim, result.found.seeds[0], full=full) if result.found.seeds else {}
        except Missing:
            continue
        assert result.experiments == {key: one.digest() for key, one in made.items()}, name


def test_saved_results_are_of_claims_that_run_and_give_their_verdicts() -> None:
    for name, result in saved_results().items():
        claim = known_claims()[name]
        assert result.found.verdict == claim.expected_in(full=result.found.full)
        assert set(result.found.figures) == set(wanted_figures(claim))


def test_every_claim_of_a_paper_that_runs_has_saved_results() -> None:
    assert {claim.id for claim in CLAIMS if claim.runs} <= set(saved_results())


def test_the_command_lists_by_paper_and_verdict_and_shows_what_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "list", "--paper", "sirius", "--verdict", "reproduced", "--json"]) == 0
    told = {one["id"] for one in json.loads(capsys.readouterr().out)}
    assert "sirius-f3-toy" in told
    assert "sirius-cs-100k" not in told
    assert main(["claims", "show", "sirius-f14-15-overhead"]) == 0
    assert "1.50 x" in capsys.readouterr().out
    assert main(["claims", "list", "--paper", "no-such-paper"]) == 2
    assert "megha" in capsys.readouterr().err
