"""Files of ensembles that were changed in one place: what they hold twice no longer agrees, and they are refused with both values."""

import shutil

import h5py
import numpy as np
import pytest

from test_damaged_results import RUN, attribute, changed, hard_linked, other_study, refused, replaced, result_of, without, without_attribute

pytestmark = pytest.mark.proof

ENSEMBLE = """
problem = "chaotic"
[ensemble]
size = 3
seed = 1
energy = 3.0
[run]
step = 0.1
steps = 40
record_every = 4
[[method]]
name = "dla"
"""
STATISTICS = RUN + "/statistics/energy_error"
CONTRADICTING_ENSEMBLES = {
    "no state": (without(RUN + "/state/a"), ["state"]),
    "no current state": (without_attribute(RUN + "/state", "current"), ["11 records", "no state"]),
    "a state of fewer steps": (attribute(RUN + "/state/a", "steps", np.uint64(39)), ["39 steps", "4"]),
    "a member elsewhere": (changed(RUN + "/state/a/t", 1, lambda t: 2.0), ["2", "40 steps", "4"]),
    "records at other times": (attribute(RUN, "record_every", np.uint64(5)), ['"record_every" is 5 in the run, and 4 in the study']),
    "a time that goes back": (changed(RUN + "/t", 7, lambda t: 0.5), ["0.5", "2.8"]),
    "another seed": (attribute(RUN, "seed", np.uint64(2)), ['"seed" is 2 in the run, and 1 in the study']),
    "another size": (attribute(RUN, "members", np.uint64(2)), ['"members" is 2 in the run, and 3 in the study']),
    "another step in the study": (other_study("step = 0.1", "step = 0.2"), ['"step" is 0.1 in the run, and 0.2 in the study']),
    "a column too few": (replaced(STATISTICS, data=np.zeros((11, 10))), ["10 columns, where there should be 11"]),
    "growth of another number": (replaced(RUN + "/growth/energy_error", data=np.zeros((3, 2))), ["2 columns, where there should be 3"]),
    "a mean": (changed(STATISTICS, (5, 1), lambda mean: mean + 1e-15), ['the mean of "energy_error" at record 6', "growth"]),
    "a quantile": (changed(STATISTICS, (4, 7), lambda x: x + 1e-15), ['the median of "energy_error" at record 5']),
    "a variance": (changed(STATISTICS, (10, 2), lambda x: 2 * x), ['the variance of "energy_error" at record 11']),
    "a count": (changed(STATISTICS, (5, 0), lambda count: 4), ['the count of "energy_error" at record 6 is 4']),
    "a lower count": (changed(RUN + "/statistics/constraint", (10, 0), lambda count: 2), ['the count of "constraint" at record 11']),
    "a largest value": (changed(RUN + "/statistics/constraint", (10, 10), lambda x: x + 1), ['the max of "constraint" at record 11', "the states of its members"]),
    "an error kept for growth": (changed(RUN + "/growth/energy_error", (3, 1), lambda x: x + 1e-14), ['of "energy_error" at record', "growth"]),
    "a time of growth": (changed(RUN + "/growth/t", 2, lambda t: t + 0.01), ["growth/t", "the records"]),
    "members that come back": (changed(RUN + "/alive", 6, lambda n: 4), ["the number of members is 4 in record 7, and 3 in the record before"]),
    "members that are lost": (changed(RUN + "/alive", 10, lambda n: 2), ["the count of", "record 11", "2 in the number of members"]),
    "a position of the state": (changed(RUN + "/state/a/q", 2, lambda q: q + 1e-9), ['"energy_error" at record 11', "the states of its members"]),
    "a velocity of the state": (changed(RUN + "/state/a/v", 5, lambda v: v + 1e-9), ["record 11", "the states of its members"]),
    "a failure of the state": (changed(RUN + "/state/a/failed_in_step", 1, lambda step: 7), ["record 11", "its state"]),
    "a last position": (changed(RUN + "/members/q_final", (1, 0), lambda q: q + 1e-12), ['"members/q_final"', "the state"]),
    "a last velocity": (changed(RUN + "/members/v_final", (2, 1), lambda v: -v), ['"members/v_final"', "the state"]),
    "a last multiplier": (changed(RUN + "/members/lambda_final", (0, 0), lambda x: x + 1), ['"members/lambda_final"']),
    "a last time": (changed(RUN + "/members/t_final", 2, lambda t: 3.9), ["the time of member 3 is 3.9"]),
    "a first velocity": (changed(RUN + "/members/v_initial", (0, 1), lambda v: v + 1e-12), ['"members/v_initial"', "the starts of the study"]),
    "a failed step": (changed(RUN + "/members/failed_in_step", 1, lambda step: 3), ["the failed step of member 2 is 3", "0 in the state"]),
    "a number of failures": (attribute(RUN, "failed", np.uint64(1)), ['"failed" is 1 in the run, and 0 in the state']),
    "statistics that are others": (hard_linked(STATISTICS, RUN + "/statistics/constraint"), ["second name"]),
}


@pytest.fixture(scope="module")
def good_ensemble(tmp_path_factory):
    return result_of(ENSEMBLE, "ensemble", tmp_path_factory.mktemp("good"))


@pytest.mark.parametrize("damage", CONTRADICTING_ENSEMBLES)
def test_an_ensemble_that_contradicts_itself_is_refused_with_both_values(program, good_ensemble, damage):
    path, (change, words) = program.directory / "r.h5", CONTRADICTING_ENSEMBLES[damage]
    shutil.copy(good_ensemble, path)
    with h5py.File(path, "r+") as file:
        change(file, path)
    before = path.read_bytes()
    code, sentence = refused(program, "resume", "r.h5")
    assert code == 4 and all(word in sentence for word in words), sentence
    assert path.read_bytes() == before


PARTS = {
    "a moment": (RUN + "/part/moments/energy_error", (3, 1), lambda mean: mean + 1e-15, '"energy_error" at record 4'),
    "a count of moments": (RUN + "/part/moments/constraint", (3, 0), lambda count: 15, "record 4"),
    "a value": (RUN + "/part/values/constraint", (6, 2), lambda value: value + 1e-14, '"constraint" at record 7'),
    "a statistic": (RUN + "/statistics/energy_error_relative", (2, 10), lambda value: 2 * value, "the max of"),
}


@pytest.mark.parametrize("damage", PARTS)
def test_a_part_that_contradicts_itself_is_not_merged(program, damage):
    table, place, change, words = PARTS[damage]
    program.write("s.toml", ENSEMBLE.replace("size = 3", "size = 40"))
    for number in (1, 2):
        program.good("ensemble", "s.toml", "--part", f"{number}/2", "--out", f"{number}-r.h5")
    program.good("merge", "1-r.h5", "2-r.h5", "--out", "all.h5")
    path = program.directory / "1-r.h5"
    with h5py.File(path, "r+") as file:
        changed(table, place, change)(file, path)
    result = program.run("merge", "1-r.h5", "2-r.h5", "--out", "other.h5")
    assert result.returncode == 4 and words in result.stderr and not (program.directory / "other.h5").exists(), result.stderr
