"""Each knob is tried by `python -m bench.knobs`, or its table says why not, and what is tried could run."""

from __future__ import annotations

from scheduler_core import Experiment, scheduler_by_name
from scheduler_core.claims.trials import STUDIO, trials
from scheduler_core.experiment import unsupported


def test_every_knob_has_a_trial_that_its_scheduler_honors() -> None:
    tried = 0
    for trial in trials([]):
        assert trial.skip != "no trial yet", (trial.scheduler, trial.knob)
        for value in trial.values:
            experiment = Experiment.parse(trial.at(value, seed=1))
            spec = scheduler_by_name(experiment.scheduler.name)
            assert not unsupported(experiment, spec.honors(experiment)), (trial.scheduler, trial.knob, value)
            assert trial.scheduler in (STUDIO, spec.name)
            tried += 1
    assert tried > 500
